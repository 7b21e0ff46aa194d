--[[
  One machine says that it is there, and learns how many workers there are on all machines.

  KEYS[1]  the hash of machines: id to "workers expiry", expiry in milliseconds of the epoch
  ARGV[1]  id of the machine
  ARGV[2]  its workers; 0 says goodbye
  ARGV[3]  milliseconds for which this holds

  Output: the workers of all machines that were heard of in time
]]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if tonumber(ARGV[2]) > 0 then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %.0f', ARGV[2], now + ARGV[3]))
else
  redis.call('HDEL', KEYS[1], ARGV[1])
end

local total = 0
local machines = redis.call('HGETALL', KEYS[1])
for i = 1, #machines, 2 do
  local workers, expiry = string.match(machines[i + 1], '^(%d+) (%d+)$')
  if tonumber(expiry) >= now then
    total = total + tonumber(workers)
  else
    redis.call('HDEL', KEYS[1], machines[i])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return total
