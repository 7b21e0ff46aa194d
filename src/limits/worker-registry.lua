--[[
  Registers the workers of one machine and counts the workers of all machines.

  KEYS[1]  the hash of machines: machine id to "workers expiry", the expiry in milliseconds since the epoch
  ARGV[1]  id of this machine
  ARGV[2]  number of its workers; 0 deregisters it
  ARGV[3]  milliseconds until its entry expires

  Returns the number of workers on all machines whose entry has not expired
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
