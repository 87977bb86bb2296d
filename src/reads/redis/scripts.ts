/**
 * The scripts, in Lua. No call takes longer than some milliseconds, because each has a bounded number of rows. They work on
 * two keys, which a cluster keeps on one node: the counts, a hash, and the changes, a sorted set of the ids of news items
 * by the revision of their last change, and of the epoch.
 *
 * The words of this folder:
 *
 * - row: the count of a news item, such as `100 k3x9=2 p0qa=1` (see rows.ts). The hash has it under the id.
 * - column: where one process counts, in each row; a random word.
 * - folded: added to the base of each row, since its process ended. The hash has `@COLUMN` = `folded`.
 * - stamp: how often the process of a column changed something. The hash has `@COLUMN` = `57 1790000000 c0a1b2c3d4e`:
 *   the stamp, when that was by the clock of Redis, and the owner.
 * - owner: the process that counts in a column, a random word. A copy of its state directory has the column, but not the
 *   word, and so begins another column.
 * - revision: the number of all changes. The hash has it under `@revision`.
 * - epoch: a random word that a process replaces when it finds that Redis lost something; the others see that and compare
 *   their rows. The hash has it under `@epoch`.
 */
const PRELUDE = `
local counts, changes = KEYS[1], KEYS[2]
local function text(number) return string.format('%.0f', number) end
local function stamp_of(state) return tonumber(string.match(state or '', '^%d+') or '0') end
local function owner_of(state) return string.match(state or '', ' %d+ (%w+)$') end
local function now() return redis.call('TIME')[1] end
local function save(fields, ids, revision)
  if #ids > 0 then redis.call('ZADD', changes, unpack(ids)) end
  fields[#fields + 1], fields[#fields + 2] = '@revision', text(revision)
  redis.call('HSET', counts, unpack(fields))
end
`;

/** The maximum number of rows in a call. */
export const CALL_ROWS = 100;

/** How long a process may be silent before its column is folded, in seconds. */
export const COLUMN_LIFE = 7 * 24 * 3600;

export const SCRIPTS = {
  /**
   * Begins or continues to count in a column. If Redis has less than in the epoch that the caller knows, the epoch
   * changes, so that all processes compare their rows with those in Redis.
   * Arguments: column, the owner that it may have besides the caller, the caller, the epoch, stamp and revision that it knows, a new epoch,
   * 1 if it misses a row. Both owners are equal where the column is new or the caller's own, which may then have none.
   * Returns the epoch, the revision and the stamp; nothing if the column is folded or has another owner.
   */
  join: `${PRELUDE}
local column, caller = '@' .. ARGV[1], ARGV[3]
local state = redis.call('HMGET', counts, '@epoch', '@revision', column)
local owner = owner_of(state[3])
local is_free = not owner and state[3] ~= 'folded'
if owner ~= caller and owner ~= ARGV[2] and not (is_free and ARGV[2] == caller) then return {} end
local epoch, revision, stamp = state[1], tonumber(state[2] or '0'), stamp_of(state[3])
local known_epoch, known_stamp, known_revision = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local has_lost = stamp < known_stamp or revision < known_revision or ARGV[8] == '1'
if not epoch or not redis.call('ZSCORE', changes, epoch) or epoch == known_epoch and has_lost then
  if epoch then redis.call('ZREM', changes, epoch) end
  epoch = ARGV[7]
  redis.call('ZADD', changes, 0, epoch)
  revision = math.max(revision, known_revision)
end
stamp = math.max(stamp, known_stamp) + 1
save({'@epoch', epoch, column, text(stamp) .. ' ' .. now() .. ' ' .. caller}, {}, revision)
return {epoch, text(revision), text(stamp)}`,

  /**
   * Raises rows to the reads that a process counted in its column, and returns what changed. Applied twice or out of
   * order, it counts once.
   * Arguments: epoch, column, caller, the stamp and revision that it knows, the revision since which to return changes or
   * -1 for none; then the id, the reads in the column and the floor of each news item.
   * Returns nothing, and does nothing, if Redis has less than the caller knows or the column has another owner;
   * otherwise the revision, the stamp, the reads in the column before and the row of each item, the changed rows with their ids, and the revision of the last.
   */
  exchange: `${PRELUDE}
local epoch, column, caller, since = ARGV[1], ARGV[2], ARGV[3], ARGV[6]
local state = redis.call('HMGET', counts, '@epoch', '@revision', '@' .. column)
local revision, stamp = tonumber(state[2] or '0'), stamp_of(state[3])
if state[1] ~= epoch or not redis.call('ZSCORE', changes, epoch) or owner_of(state[3]) ~= caller
  or stamp < tonumber(ARGV[4]) or revision < tonumber(ARGV[5]) then return {} end
local ids, reply, fields, changed = {}, {}, {}, {}
for i = 7, #ARGV, 3 do ids[#ids + 1] = ARGV[i] end
if #ids > 0 then
  local own = ' ' .. column .. '='
  revision, stamp = revision + 1, stamp + 1
  for n, row in ipairs(redis.call('HMGET', counts, unpack(ids))) do
    local id, reads, floor = ids[n], ARGV[3 * n + 5], tonumber(ARGV[3 * n + 6])
    local base, rest = string.match(row or '0', '^(-?%d+)(.*)$')
    if not base then return redis.error_reply('ERR the count of news item ' .. id .. ' is not a number: ' .. row) end
    if tonumber(base) < floor then
      local sum = tonumber(base)
      for number in string.gmatch(rest, '=(%d+)') do sum = sum + tonumber(number) end
      if sum < floor then base = text(tonumber(base) + floor - sum) end
    end
    local from, to, before = string.find(rest, own .. '(%d+)')
    if not from then rest = rest .. own .. reads
    elseif tonumber(before) < tonumber(reads) then
      rest = string.sub(rest, 1, from - 1) .. own .. reads .. string.sub(rest, to + 1)
    end
    reply[n] = (before or '0') .. ' ' .. base .. rest
    fields[2 * n - 1], fields[2 * n] = id, base .. rest
    changed[2 * n - 1], changed[2 * n] = revision, id
  end
  fields[#fields + 1], fields[#fields + 2] = '@' .. column, text(stamp) .. ' ' .. now() .. ' ' .. caller
  save(fields, changed, revision)
end
local rows, last = {}, text(revision)
if since ~= '-1' then
  local found = redis.call('ZRANGEBYSCORE', changes, '(' .. since, '+inf', 'WITHSCORES', 'LIMIT', 0, ${2 * CALL_ROWS + 1})
  if #found > ${4 * CALL_ROWS} then
    last = found[#found]
    while found[#found] == last do found[#found], found[#found - 1] = nil, nil end
    last = found[#found]
  end
  for i = 1, #found, 2 do
    local row = redis.call('HGET', counts, found[i])
    if row then rows[#rows + 1] = found[i] .. ' ' .. row end
  end
end
return {text(revision), text(stamp), table.concat(reply, '\\n'), table.concat(rows, '\\n'), last}`,

  /**
   * Replaces rows that are still as the caller knows them.
   * Arguments: epoch, or none for any; then the id, the known row (empty if missing) and the new row of each.
   * Returns nothing if the epoch is another one; otherwise the revision, and with their ids the rows that differ.
   */
  replace: `${PRELUDE}
local state = redis.call('HMGET', counts, '@epoch', '@revision')
if ARGV[1] ~= '' and ARGV[1] ~= state[1] then return {} end
local revision = tonumber(state[2] or '0') + 1
local ids, fields, changed, differing = {}, {}, {}, {}
for i = 2, #ARGV, 3 do ids[#ids + 1] = ARGV[i] end
for n, row in ipairs(redis.call('HMGET', counts, unpack(ids))) do
  if (row or '') == ARGV[3 * n] then
    fields[#fields + 1], fields[#fields + 2] = ids[n], ARGV[3 * n + 1]
    changed[#changed + 1], changed[#changed + 2] = revision, ids[n]
  else
    differing[#differing + 1] = ids[n] .. ' ' .. (row or '')
  end
end
save(fields, changed, revision)
return {text(revision), table.concat(differing, '\\n')}`,

  /** Returns some rows with their ids, and the cursor for the next ones. Argument: a cursor, `0` for the first. */
  scan: `${PRELUDE}
local cursor, found = unpack(redis.call('HSCAN', counts, ARGV[1], 'COUNT', ${2 * CALL_ROWS}))
local rows = {}
for i = 1, #found, 2 do
  if string.sub(found[i], 1, 1) ~= '@' then rows[#rows + 1] = found[i] .. ' ' .. found[i + 1] end
end
return {cursor, table.concat(rows, '\\n')}`,

  /**
   * Marks folded columns, and finds those whose processes have ended. Arguments: how many columns the caller knows to be
   * folded, their names, and the names of others. Returns those of the others that are or have to be folded.
   */
  fold: `${PRELUDE}
local time, ended = tonumber(now()), {}
for i = 2, #ARGV do
  local column = '@' .. ARGV[i]
  local state = redis.call('HGET', counts, column)
  local seen = tonumber(string.match(state or '', '^%d+ (%d+)'))
  if i - 1 <= tonumber(ARGV[1]) then
    redis.call('HSET', counts, column, 'folded')
  elseif state ~= 'folded' and not seen then
    redis.call('HSET', counts, column, '0 ' .. time)
  elseif state == 'folded' or time - seen > ${COLUMN_LIFE} then
    redis.call('HSET', counts, column, 'folded')
    ended[#ended + 1] = ARGV[i]
  end
end
return ended`,
} as const;

export type ScriptName = keyof typeof SCRIPTS;
