--[[
  Closes leases, settles pending charges, decides a batch of requests by GCRA, grants leases. Each request takes one token from one to four buckets,
  all or nothing.

  KEYS[1..3]  the three hashes that hold the buckets, used in rotation (see below)
  ARGV[1]     the number of different limits
  ARGV[2]     requests: four numbers each, the positions of its buckets of the kinds ip, publisher, unreserved and global
              in the list of buckets, from 1; 0 = not charged
  ARGV[3]     per bucket the position of its limit in the list of limits, from 1
  ARGV[4]     leases: position of the bucket, epoch of the lease to close (two numbers, higher first), its tokens,
              those unspent, tokens wanted
  ARGV[5]     the number of requests, from the first, whose charges are pending: a later call settles them
  ARGV[6]     pending charges to settle: position of the bucket, epoch of the charges (two numbers), their tokens,
              those refunded
  ARGV[7..]   the limits (tokens per bucket, and tokens per second), then the names of all buckets of the batch, each once;
              the global bucket is the first
  A number in ARGV[2..4] and ARGV[6] is two bytes of seven bits.

  Returns the time of Redis in microseconds, then one integer per request about the bucket with the fewest tokens left
  (ip = 0, publisher = 1, unreserved = 2, global = 3; on a tie the lower number):
    microseconds until it is full * 2^23 + remaining tokens * 8 + kind * 2 + (1 if admitted, else 0)
  or, if a bucket is empty and tokens of it are on lease, minus the microseconds until these leases have ended;
  then two integers per lease: tokens granted, microseconds until the bucket is full.

  A bucket is one hash field: its theoretical arrival time (TAT), the microsecond at which it is full again. With leases,
  these follow: the epoch of the last change, the tokens on lease that were granted in it, and those of the epoch before;
  with pending charges, which count as leases here, also the tokens of these, of both epochs.

  The hashes rotate every two seconds. The current hash is written. A bucket that is not in it yet is read from the previous
  hash. Every bucket fills within one rotation, so the third hash holds only full buckets and is deleted.

  OpenBucket and GcraEngine in bucket-state.ts and gcra.ts are the model of this script: the tests compare the two.
]]
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local byte, format, match = string.byte, string.format, string.match

-- tostring() rounds large numbers, %.0f is slower, and %d alone overflows on some platforms.
local function integerToString(integer)
  return format('%d%06d', floor(integer / 1000000), integer % 1000000)
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local leaseEpochMicros = 100000
local epoch = floor(now / leaseEpochMicros)

local limitCount, requests, limitPositions, leases = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local pendingRequests, settlements = tonumber(ARGV[5]), ARGV[6]
local intervals, bursts, longestBurst = {}, {}, 0
for i = 1, limitCount do
  local limit = tonumber(ARGV[6 + i])
  intervals[i] = ceil(1000000 / limit)
  bursts[i] = limit * intervals[i]
  longestBurst = max(longestBurst, bursts[i])
end

local rotationMillis = 2000
local rotation = floor(now / (rotationMillis * 1000))
local rotationStart = rotation * rotationMillis * 1000
local currentHash, previousHash, oldestHash =
  KEYS[rotation % 3 + 1], KEYS[(rotation - 1) % 3 + 1], KEYS[(rotation - 2) % 3 + 1]

local names = { unpack(ARGV, 7 + limitCount) }
local stored = redis.call('HMGET', currentHash, unpack(names))
local isFirstCallOfRotation = not stored[1]

-- Later than this all buckets of the previous hash are full.
if now < rotationStart + longestBurst then
  local missingNames, missingPositions = {}, {}
  for i = 1, #names do
    if not stored[i] then
      missingNames[#missingNames + 1], missingPositions[#missingPositions + 1] = names[i], i
    end
  end
  if #missingNames > 0 then
    local previousStored = redis.call('HMGET', previousHash, unpack(missingNames))
    for i = 1, #missingNames do
      stored[missingPositions[i]] = previousStored[i]
    end
  end
end

-- Per bucket. fullIn is TAT minus now: 0 is a full bucket, its burst an empty one.
local interval, burst, fullIn, isChanged = {}, {}, {}, {}
-- Tokens on lease that were granted in this epoch and in the one before; nil if there are none.
local current, previous = {}, {}
-- Of these, the tokens of pending charges; nil if there are none.
local pendingCurrent, pendingPrevious = {}, {}

-- Returns the TAT, in which leases that have ended count as spent at their end. Leases of a later epoch are from a clock
-- that was set back: they are moved to this one.
local function readLeases(i, text)
  local storedTat, storedEpoch, storedCurrent, storedPrevious, storedPending =
    match(text, '^(%d+):(%d+):(%d+):(%d+)(.*)$')
  local pending, pendingBefore = 0, 0
  if storedPending ~= '' then
    pending, pendingBefore = match(storedPending, '^:(%d+):(%d+)$')
    pending, pendingBefore = tonumber(pending), tonumber(pendingBefore)
  end
  local tat, leased = tonumber(storedTat), storedCurrent + storedPrevious
  storedEpoch = tonumber(storedEpoch)
  if storedEpoch == epoch then
    current[i], previous[i] = tonumber(storedCurrent), tonumber(storedPrevious)
    pendingCurrent[i], pendingPrevious[i] = pending, pendingBefore
    return tat
  end
  if storedEpoch > epoch then
    current[i], previous[i], isChanged[i] = leased, 0, true
    pendingCurrent[i], pendingPrevious[i] = pending + pendingBefore, 0
    return tat
  end
  tat = max(tat, (storedEpoch + 1) * leaseEpochMicros + leased * interval[i])
  if storedEpoch == epoch - 1 then
    current[i], previous[i] = 0, tonumber(storedCurrent)
    pendingCurrent[i], pendingPrevious[i] = 0, pending
    return tat
  end
  return max(tat, (storedEpoch + 2) * leaseEpochMicros + storedCurrent * interval[i])
end

for i = 1, #names do
  local high, low = byte(limitPositions, 2 * i - 1, 2 * i)
  interval[i], burst[i] = intervals[high * 128 + low], bursts[high * 128 + low]
  local text = stored[i]
  if not text then
    fullIn[i] = 0
  else
    local tat = #text > 16 and readLeases(i, text) or tonumber(text) -- a TAT has 16 digits
    fullIn[i] = max(tat - now, 0)
    if current[i] then
      -- Tokens on lease have no room in the bucket: it refills up to what is not on lease.
      fullIn[i] = max(fullIn[i], (current[i] + previous[i]) * interval[i])
    end
    -- A TAT beyond an empty bucket comes from a clock that was set back. It is capped, so it costs at most the
    -- time to fill the bucket.
    if fullIn[i] > burst[i] then fullIn[i], isChanged[i] = burst[i], true end
  end
end

local function onLease(i)
  return current[i] and current[i] + previous[i] or 0
end

local function pendingOf(i)
  return pendingCurrent[i] and pendingCurrent[i] + pendingPrevious[i] or 0
end

-- The unspent tokens return, unless the lease has ended: the room of its tokens may have refilled since.
for position = 1, #leases, 12 do
  local a, b, c, d, e, f, g, h, j, k = byte(leases, position, position + 9)
  local i, leaseEpoch = a * 128 + b, ((c * 128 + d) * 128 + e) * 128 + f
  local tokens, unspent = g * 128 + h, j * 128 + k
  if tokens > 0 and current[i] then
    if leaseEpoch == epoch % 268435456 then
      tokens = min(tokens, current[i] - pendingCurrent[i])
      current[i] = current[i] - tokens
    elseif leaseEpoch == (epoch - 1) % 268435456 then
      tokens = min(tokens, previous[i] - pendingPrevious[i])
      previous[i] = previous[i] - tokens
    else
      tokens = 0
    end
    if tokens > 0 then
      fullIn[i], isChanged[i] = fullIn[i] - min(unspent, tokens) * interval[i], true
    end
  end
end

-- Refunded tokens return under the same condition.
for position = 1, #settlements, 10 do
  local a, b, c, d, e, f, g, h, j, k = byte(settlements, position, position + 9)
  local i, chargeEpoch = a * 128 + b, ((c * 128 + d) * 128 + e) * 128 + f
  local tokens, refunded = g * 128 + h, j * 128 + k
  if current[i] then
    if chargeEpoch == epoch % 268435456 then
      tokens = min(tokens, pendingCurrent[i])
      current[i], pendingCurrent[i] = current[i] - tokens, pendingCurrent[i] - tokens
    elseif chargeEpoch == (epoch - 1) % 268435456 then
      tokens = min(tokens, pendingPrevious[i])
      previous[i], pendingPrevious[i] = previous[i] - tokens, pendingPrevious[i] - tokens
    else
      tokens = 0
    end
    if tokens > 0 then
      fullIn[i], isChanged[i] = fullIn[i] - min(refunded, tokens) * interval[i], true
    end
  end
end

local reply, length = { now }, 1
local buckets = {}
for position = 1, #requests, 8 do
  local a, b, c, d, e, f, g, h = byte(requests, position, position + 7)
  buckets[1], buckets[2], buckets[3], buckets[4] = a * 128 + b, c * 128 + d, e * 128 + f, g * 128 + h

  local minRemaining, tightest, waitMicros, decision = math.huge, 0, 0, nil
  for kind = 1, 4 do
    local i = buckets[kind]
    if i > 0 then
      local remaining = floor((burst[i] - fullIn[i]) / interval[i])
      if remaining < minRemaining then minRemaining, tightest = remaining, kind end
      if remaining <= 0 then
        -- Only an empty bucket without leases rejects: what workers hold may come back.
        if onLease(i) == pendingOf(i) then
          decision = fullIn[i] * 8388608 + (kind - 1) * 2
          break
        end
        waitMicros = max(waitMicros, (epoch + (current[i] > 0 and 2 or 1)) * leaseEpochMicros - now)
      end
    end
  end

  if not decision then
    if waitMicros > 0 then
      decision = -waitMicros
    else
      for kind = 1, 4 do
        local i = buckets[kind]
        if i > 0 then
          fullIn[i], isChanged[i] = fullIn[i] + interval[i], true
          if length <= pendingRequests then
            current[i], previous[i] = (current[i] or 0) + 1, previous[i] or 0
            pendingCurrent[i], pendingPrevious[i] = (pendingCurrent[i] or 0) + 1, pendingPrevious[i] or 0
          end
        end
      end
      decision = fullIn[buckets[tightest]] * 8388608 + (minRemaining - 1) * 8 + (tightest - 1) * 2 + 1
    end
  end
  length = length + 1
  reply[length] = decision
end

-- All that is wanted or nothing, except that at most a tenth of the bucket is on lease. Nothing if the wanted tokens would
-- take the bucket more than halfway to its middle.
for position = 1, #leases, 12 do
  local a, b = byte(leases, position, position + 1)
  local c, d = byte(leases, position + 10, position + 11)
  local i, wanted, tokens = a * 128 + b, c * 128 + d, 0
  if wanted > 0 then
    local limit = burst[i] / interval[i]
    if 2 * wanted <= floor((burst[i] - fullIn[i]) / interval[i]) - ceil(limit / 2) then
      tokens = max(min(wanted, floor(limit / 10) - onLease(i)), 0)
    end
    if tokens > 0 then
      fullIn[i], isChanged[i] = fullIn[i] + tokens * interval[i], true
      current[i], previous[i] = (current[i] or 0) + tokens, previous[i] or 0
      pendingCurrent[i], pendingPrevious[i] = pendingCurrent[i] or 0, pendingPrevious[i] or 0
    end
  end
  reply[length + 1], reply[length + 2] = tokens, fullIn[i]
  length = length + 2
end

local fields, count = {}, 0
for i = 1, #names do
  if isChanged[i] then
    local tat, text = now + fullIn[i], nil
    if onLease(i) > 0 then
      text = format('%d%06d:%d:%d:%d', floor(tat / 1000000), tat % 1000000, epoch, current[i], previous[i])
      if pendingOf(i) > 0 then text = format('%s:%d:%d', text, pendingCurrent[i], pendingPrevious[i]) end
    else
      text = integerToString(tat)
    end
    fields[count + 1], fields[count + 2] = names[i], text
    count = count + 2
  end
end
if count > 0 then
  if isFirstCallOfRotation then
    -- The global bucket is in the hash from its first call on: it marks the hash as begun.
    if not isChanged[1] then
      fields[count + 1], fields[count + 2] = names[1], stored[1] or integerToString(now)
    end
    redis.call('HSET', currentHash, unpack(fields))
    redis.call('PEXPIREAT', currentHash, integerToString(rotationStart / 1000 + 2.5 * rotationMillis))
    redis.call('UNLINK', oldestHash) -- at its expiry Redis would free it in the foreground
  else
    redis.call('HSET', currentHash, unpack(fields))
  end
end
return reply
