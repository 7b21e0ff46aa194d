--[[
  Decides a batch of requests by GCRA. Each request takes one token from two or three buckets, all or nothing.

  KEYS[1..3]  the three hashes that hold the buckets, used in rotation (see below)
  ARGV[1..3]  limits of the scopes ip, publisher and global: tokens per bucket, and tokens per second
  ARGV[4]     two bytes per request: the index of its ip bucket and of its publisher bucket (0 = none) in the list that follows
  ARGV[5..]   the names of all buckets of the batch, each once; the global bucket is the first

  Returns the time of Redis in microseconds, then one integer per request about the scope with the fewest tokens left
  (ip = 0, publisher = 1, global = 2; on a tie the lower number):
    microseconds until its bucket is full * 2^23 + remaining tokens * 8 + scope * 2 + (1 if admitted, else 0)

  A bucket is one hash field: its theoretical arrival time (TAT), the microsecond at which it is full again.

  The hashes rotate every two seconds. The current hash is written. A bucket that is not in it yet is read from the previous
  hash. Every bucket fills within one rotation, so the third hash holds only full buckets and is deleted.

  GcraEngine in gcra.ts is the model of this script: the tests compare the two.
]]
local floor, ceil, max = math.floor, math.ceil, math.max
local byte, format = string.byte, string.format

-- tostring() rounds large numbers, %.0f is slower, and %d alone overflows on some platforms.
local function integerToString(integer)
  return format('%d%06d', floor(integer / 1000000), integer % 1000000)
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local ipLimit, publisherLimit, globalLimit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ipInterval, publisherInterval, globalInterval =
  ceil(1000000 / ipLimit), ceil(1000000 / publisherLimit), ceil(1000000 / globalLimit)
local ipBurst, publisherBurst, globalBurst =
  ipLimit * ipInterval, publisherLimit * publisherInterval, globalLimit * globalInterval

local rotationMillis = 2000
local rotation = floor(now / (rotationMillis * 1000))
local rotationStart = rotation * rotationMillis * 1000
local currentHash, previousHash, oldestHash =
  KEYS[rotation % 3 + 1], KEYS[(rotation - 1) % 3 + 1], KEYS[(rotation - 2) % 3 + 1]

local names = { unpack(ARGV, 5) }
local tats = redis.call('HMGET', currentHash, unpack(names))
local isFirstCallOfRotation = not tats[1]

-- Later than this all buckets of the previous hash are full.
if now < rotationStart + max(ipBurst, publisherBurst, globalBurst) then
  local missingNames, missingIndexes = {}, {}
  for i = 1, #names do
    if not tats[i] then
      missingNames[#missingNames + 1], missingIndexes[#missingIndexes + 1] = names[i], i
    end
  end
  if #missingNames > 0 then
    local previousTats = redis.call('HMGET', previousHash, unpack(missingNames))
    for i = 1, #missingNames do
      tats[missingIndexes[i]] = previousTats[i]
    end
  end
end

-- TAT minus now, per bucket: 0 is a full bucket, the scope's burst an empty one.
local fullIn = {}
for i = 1, #names do
  fullIn[i] = tats[i] and max(tats[i] - now, 0) or 0
end

local isChanged = {}

-- A TAT beyond an empty bucket comes from a clock that was set back. It is capped, so it costs at most one window.
local function setEmpty(bucket, burst)
  fullIn[bucket], isChanged[bucket] = burst, true
end
if fullIn[1] > globalBurst then setEmpty(1, globalBurst) end

local requests = ARGV[4]
local reply = { now }
for position = 1, #requests, 2 do
  local ip, publisher = byte(requests, position, position + 1)

  if fullIn[ip] > ipBurst then setEmpty(ip, ipBurst) end
  local ipFullIn = fullIn[ip]
  local ipRemaining = floor((ipBurst - ipFullIn) / ipInterval)
  local globalRemaining = floor((globalBurst - fullIn[1]) / globalInterval)
  local publisherFullIn, publisherRemaining
  if publisher > 0 then
    if fullIn[publisher] > publisherBurst then setEmpty(publisher, publisherBurst) end
    publisherFullIn = fullIn[publisher]
    publisherRemaining = floor((publisherBurst - publisherFullIn) / publisherInterval)
  end

  local admitted = 0
  if ipRemaining > 0 and globalRemaining > 0 and (publisher == 0 or publisherRemaining > 0) then
    admitted = 1
    ipRemaining, globalRemaining = ipRemaining - 1, globalRemaining - 1
    ipFullIn = ipFullIn + ipInterval
    fullIn[ip], fullIn[1] = ipFullIn, fullIn[1] + globalInterval
    isChanged[ip], isChanged[1] = true, true
    if publisher > 0 then
      publisherRemaining = publisherRemaining - 1
      publisherFullIn = publisherFullIn + publisherInterval
      fullIn[publisher] = publisherFullIn
      isChanged[publisher] = true
    end
  end

  local minRemaining, scope, scopeFullIn = ipRemaining, 0, ipFullIn
  if publisher > 0 and publisherRemaining < minRemaining then
    minRemaining, scope, scopeFullIn = publisherRemaining, 1, publisherFullIn
  end
  if globalRemaining < minRemaining then
    minRemaining, scope, scopeFullIn = globalRemaining, 2, fullIn[1]
  end
  reply[#reply + 1] = scopeFullIn * 8388608 + minRemaining * 8 + scope * 2 + admitted
end

local fields, count = {}, 0
for i = 1, #names do
  if isChanged[i] then
    fields[count + 1], fields[count + 2] = names[i], integerToString(now + fullIn[i])
    count = count + 2
  end
end
if count > 0 then
  redis.call('HSET', currentHash, unpack(fields))
  if isFirstCallOfRotation then
    redis.call('PEXPIREAT', currentHash, integerToString(rotationStart / 1000 + 2.5 * rotationMillis))
    redis.call('UNLINK', oldestHash) -- at its expiry Redis would free it in the foreground
  end
end
return reply
