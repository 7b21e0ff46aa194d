--[[
  Decides on a batch of requests, each drawing one token from two or three buckets, all or nothing.

  KEYS[1]     the global bucket
  KEYS[2..]   the distinct address and publisher buckets of the batch
  ARGV[1..3]  limits of the scopes ip, publisher and global: tokens, and tokens a second
  ARGV[4]     two bytes a request: the place of its address bucket in KEYS, and of its publisher bucket (0: none)

  Output: the time in microseconds, then two integers a request:
    remaining * 8 + scope * 2 + admitted   of the tightest scope (ip 0, publisher 1, global 2), ties to the first
    microseconds until that bucket is full

  A bucket is one integer, the microsecond at which it is full again (GCRA), and expires then. Each key is read once and,
  if it changed, written once. The model of this script is bucket-engine.ts.
]]
local floor, ceil, max = math.floor, math.ceil, math.max
local byte, format = string.byte, string.format

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local ipLimit, publisherLimit, globalLimit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ipInterval, publisherInterval, globalInterval =
  ceil(1000000 / ipLimit), ceil(1000000 / publisherLimit), ceil(1000000 / globalLimit)
local ipCapacity, publisherCapacity, globalCapacity =
  ipLimit * ipInterval, publisherLimit * publisherInterval, globalLimit * globalInterval

local fullIn = redis.call('MGET', unpack(KEYS))
for i = 1, #KEYS do
  fullIn[i] = max((fullIn[i] and tonumber(fullIn[i]) or 0) - now, 0)
end

local changed = {}

-- No bucket is more than empty: one that a clock set back left so is brought back, which costs one window at most.
local function atMost(capacity, key)
  if fullIn[key] > capacity then
    fullIn[key] = capacity
    changed[key] = true
  end
  return fullIn[key]
end
atMost(globalCapacity, 1)

local places = ARGV[4]
local output = { now }
local last = 1
for at = 1, #places, 2 do
  local ip, publisher = byte(places, at, at + 1)

  local ipFullIn = atMost(ipCapacity, ip)
  local ipLeft = floor((ipCapacity - ipFullIn) / ipInterval)
  local globalLeft = floor((globalCapacity - fullIn[1]) / globalInterval)
  local publisherFullIn, publisherLeft
  if publisher > 0 then
    publisherFullIn = atMost(publisherCapacity, publisher)
    publisherLeft = floor((publisherCapacity - publisherFullIn) / publisherInterval)
  end

  local admitted = 0
  if ipLeft > 0 and globalLeft > 0 and (publisher == 0 or publisherLeft > 0) then
    admitted = 1
    ipLeft, globalLeft = ipLeft - 1, globalLeft - 1
    ipFullIn = ipFullIn + ipInterval
    fullIn[ip], fullIn[1] = ipFullIn, fullIn[1] + globalInterval
    changed[ip], changed[1] = true, true
    if publisher > 0 then
      publisherLeft = publisherLeft - 1
      publisherFullIn = publisherFullIn + publisherInterval
      fullIn[publisher] = publisherFullIn
      changed[publisher] = true
    end
  end

  local left, scope, tightestFullIn = ipLeft, 0, ipFullIn
  if publisher > 0 and publisherLeft < left then
    left, scope, tightestFullIn = publisherLeft, 1, publisherFullIn
  end
  if globalLeft < left then
    left, scope, tightestFullIn = globalLeft, 2, fullIn[1]
  end
  output[last + 1] = left * 8 + scope * 2 + admitted
  output[last + 2] = tightestFullIn
  last = last + 2
end

for i = 1, #KEYS do
  if changed[i] then
    -- formatted here: tostring() would round, and Redis's own conversion of numbers is slower
    redis.call('SET', KEYS[i], format('%.0f', now + fullIn[i]), 'PX', format('%d', ceil(fullIn[i] / 1000)))
  end
end
return output
