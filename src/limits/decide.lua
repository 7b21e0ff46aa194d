--[[
  Decides on a batch of requests, each drawing one token from two or three buckets, all or nothing.

  KEYS[1..3]  the hashes that hold the buckets, in turns of two seconds
  ARGV[1..3]  limits of the scopes ip, publisher and global: tokens, and tokens a second
  ARGV[4]     two bytes a request: the place of its address among the buckets, and of its publisher (0: none)
  ARGV[5..]   the distinct buckets of the batch, the global one first

  Output: the time in microseconds, then one integer a request, of the tightest scope (ip 0, publisher 1, global 2), ties
  to the first: microseconds until its bucket is full * 2^23 + remaining * 8 + scope * 2 + admitted

  A bucket is a field of one integer, the microsecond at which it is full again (GCRA). It is written to the hash whose turn
  it is; what is not there yet is looked for in the hash before. No bucket takes longer than a turn to be full again, so
  hashes of earlier turns hold nothing worth knowing. The model of this script is bucket-engine.ts.
]]
local floor, ceil, max = math.floor, math.ceil, math.max
local byte, format = string.byte, string.format

-- tostring() would round, Redis's own conversion of numbers and %.0f are slower, and %d alone is too short on some machines
local function digits(integer)
  return format('%d%06d', floor(integer / 1000000), integer % 1000000)
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local ipLimit, publisherLimit, globalLimit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ipInterval, publisherInterval, globalInterval =
  ceil(1000000 / ipLimit), ceil(1000000 / publisherLimit), ceil(1000000 / globalLimit)
local ipCapacity, publisherCapacity, globalCapacity =
  ipLimit * ipInterval, publisherLimit * publisherInterval, globalLimit * globalInterval

local turnMillis = 2000
local turn = floor(now / (turnMillis * 1000))
local turnMicros = turn * turnMillis * 1000
local current, before, longBefore = KEYS[turn % 3 + 1], KEYS[(turn - 1) % 3 + 1], KEYS[(turn - 2) % 3 + 1]

local buckets = { unpack(ARGV, 5) }
local fullAt = redis.call('HMGET', current, unpack(buckets))
local isFirstOfTurn = not fullAt[1]

if now < turnMicros + max(ipCapacity, publisherCapacity, globalCapacity) then
  local missing, places = {}, {}
  for i = 1, #buckets do
    if not fullAt[i] then
      missing[#missing + 1], places[#places + 1] = buckets[i], i
    end
  end
  if #missing > 0 then
    local found = redis.call('HMGET', before, unpack(missing))
    for i = 1, #missing do
      fullAt[places[i]] = found[i]
    end
  end
end

local fullIn = {}
for i = 1, #buckets do
  fullIn[i] = fullAt[i] and max(fullAt[i] - now, 0) or 0
end

local changed = {}

-- No bucket is more than empty: one that a clock set back left so is brought back, which costs one window.
local function empty(bucket, capacity)
  fullIn[bucket], changed[bucket] = capacity, true
end
if fullIn[1] > globalCapacity then empty(1, globalCapacity) end

local claims = ARGV[4]
local output = { now }
for at = 1, #claims, 2 do
  local ip, publisher = byte(claims, at, at + 1)

  if fullIn[ip] > ipCapacity then empty(ip, ipCapacity) end
  local ipFullIn = fullIn[ip]
  local ipLeft = floor((ipCapacity - ipFullIn) / ipInterval)
  local globalLeft = floor((globalCapacity - fullIn[1]) / globalInterval)
  local publisherFullIn, publisherLeft
  if publisher > 0 then
    if fullIn[publisher] > publisherCapacity then empty(publisher, publisherCapacity) end
    publisherFullIn = fullIn[publisher]
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
  output[#output + 1] = tightestFullIn * 8388608 + left * 8 + scope * 2 + admitted
end

local written, last = {}, 0
for i = 1, #buckets do
  if changed[i] then
    written[last + 1], written[last + 2] = buckets[i], digits(now + fullIn[i])
    last = last + 2
  end
end
if last > 0 then
  redis.call('HSET', current, unpack(written))
  if isFirstOfTurn then
    redis.call('PEXPIREAT', current, digits(turnMicros / 1000 + 2.5 * turnMillis))
    redis.call('UNLINK', longBefore) -- its expiry is near, and would hold up Redis for as long as it is large
  end
end
return output
