import { MAX_COUNT } from '../counts.ts';

/**
 * The keys, with one hash tag, which keeps them on one node of a cluster: `counts` (hash: news id to count), `sequences`
 * (hash: instance to its last sequence number and Unix time, `57@1790000000`), and `changes` (sorted set: news ids by
 * the revision of their last change).
 */
export const KEYS = ['vitrine:{reads}:counts', 'vitrine:{reads}:sequences', 'vitrine:{reads}:changes'];

/** How long to remember an instance that sends nothing, in seconds. */
export const INSTANCE_LIFE = 90 * 24 * 3600;

const LAST_OF = `
local function last_of(instance)
  return tonumber(string.match(redis.call('HGET', KEYS[2], instance) or '0', '^%d+'))
end`;

const REVISION = `
local revision = tonumber(redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2] or '0')`;

/**
 * Applies a batch if the last sequence number of its instance is `base`, so that a batch sent twice counts once. Reads
 * everything before it writes, so that an error leaves nothing half done.
 * Arguments: instance, base, sequence, Unix time; then id, reads and floor of each delta.
 * Returns the last sequence number before the call and, if the batch was applied, the new count of each delta: as
 * strings, since clients round large integers. Counts stop at `MAX_COUNT`, up to which Lua's numbers are exact.
 */
export const APPLY = `${LAST_OF}${REVISION}
local last = last_of(ARGV[1])
local reply = {last}
if last ~= tonumber(ARGV[2]) then return reply end
local ids = {}
for i = 5, #ARGV, 3 do ids[#ids + 1] = ARGV[i] end
if #ids > 0 then
  local stored = redis.call('HMGET', KEYS[1], unpack(ids))
  local counts, changes = {}, {}
  for n, id in ipairs(ids) do
    local reads, floor = tonumber(ARGV[3 * n + 3]), tonumber(ARGV[3 * n + 4])
    local count = math.max(tonumber(stored[n] or '0'), floor) + reads
    count = string.format('%.0f', math.min(count, ${MAX_COUNT}))
    counts[2 * n - 1], counts[2 * n] = id, count
    changes[2 * n - 1], changes[2 * n] = revision + 1, id
    reply[n + 1] = count
  end
  redis.call('HSET', KEYS[1], unpack(counts))
  redis.call('ZADD', KEYS[3], unpack(changes))
end
if ARGV[3] ~= ARGV[2] then redis.call('HSET', KEYS[2], ARGV[1], ARGV[3] .. '@' .. ARGV[4]) end
return reply`;

/**
 * Returns the counts that changed since a revision; all of them since revision 0 or an unknown one.
 * Arguments: revision, instances. Returns one JSON string, which parses faster than an array of many replies: the
 * revision, whether these are all counts, the last sequence number of each instance, and alternating ids and counts.
 */
export const CHANGES = `${LAST_OF}${REVISION}
local since = tonumber(ARGV[1])
local lasts = {}
for i = 2, #ARGV do lasts[i - 1] = last_of(ARGV[i]) end
local is_whole = since == 0 or since > revision
local counts = {}
if is_whole then
  counts = redis.call('HGETALL', KEYS[1])
else
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. ARGV[1], '+inf')) do
    counts[#counts + 1] = id
    counts[#counts + 1] = redis.call('HGET', KEYS[1], id) or '0'
  end
end
return cjson.encode({revision = revision, isWhole = is_whole, lasts = lasts, counts = counts})`;

/** Forgets instances that sent nothing since a Unix time, the only argument. */
export const FORGET = `
local instances = redis.call('HGETALL', KEYS[2])
for i = 1, #instances, 2 do
  local time = tonumber(string.match(instances[i + 1], '@(%d+)$') or '0')
  if time < tonumber(ARGV[1]) then redis.call('HDEL', KEYS[2], instances[i]) end
end`;
