/**
 * What is kept in Redis, under one hash tag, so that all of it is on one node of a cluster: `counts` (hash: news id to
 * count), `sequences` (hash: instance to its last batch and the Unix time of that, `57@1790000000`), and `changes`
 * (sorted set: news id by the revision in which its count changed last).
 */
export const KEYS = ['vitrine:{reads}:counts', 'vitrine:{reads}:sequences', 'vitrine:{reads}:changes'];

/** After how long an instance that sends nothing is forgotten, in seconds. */
export const INSTANCE_LIFE = 90 * 24 * 3600;

const LAST_OF = `
local function last_of(instance)
  return tonumber(string.match(redis.call('HGET', KEYS[2], instance) or '0', '^%d+'))
end`;

const REVISION = `
local revision = tonumber(redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2] or '0')`;

/**
 * Applies a batch where the last one of its instance is `base`, and otherwise does nothing, which makes it safe to
 * send twice. All reading comes before all writing, so that an error leaves nothing half done.
 * Arguments: instance, base, sequence, Unix time, and id, reads and floor of each delta.
 * Returns the last sequence before and, where the batch was applied, the new count of each delta: as texts, since
 * clients round the largest integers.
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
    local count = string.format('%.0f', math.max(tonumber(stored[n] or '0'), floor) + reads)
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
 * The counts that changed after a revision, or all of them after revision 0 and after one that is not known here.
 * Arguments: revision, instances. Returns one JSON text, which is read faster than an array of many parts: the
 * revision, whether these are all counts, the last sequence of each instance, and ids and counts in turn.
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

/** Forgets the instances that have sent nothing since a Unix time, the only argument. */
export const FORGET = `
local instances = redis.call('HGETALL', KEYS[2])
for i = 1, #instances, 2 do
  local time = tonumber(string.match(instances[i + 1], '@(%d+)$') or '0')
  if time < tonumber(ARGV[1]) then redis.call('HDEL', KEYS[2], instances[i]) end
end`;
