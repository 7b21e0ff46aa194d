-- Sends the requests of a file in turn and prints the results as one line of JSON.
-- Arguments: the file, with a line with its length before each request; the mean think time in ms, 0 for none.

local threads = 0

function setup(thread)
  thread:set('number', threads)
  threads = threads + 1
end

function init(arguments)
  local requests, count = {}, 0
  local file = assert(io.open(arguments[1], 'rb'))
  local length = file:read('*n', 1)
  while length do
    count = count + 1
    requests[count] = file:read(length)
    length = file:read('*n', 1)
  end
  file:close()

  local at = number * 997 -- threads start at different requests
  function request()
    at = at + 1
    return requests[at % count + 1]
  end

  local think = tonumber(arguments[2])
  if think > 0 then
    math.randomseed(number + 1)
    function delay()
      return math.floor(0.5 - think * math.log(1 - math.random()))
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"notOk":%d,"failed":%d,"p50Ms":%.3f,"p99Ms":%.3f,"maxMs":%.3f}\n',
    summary.requests, summary.duration / 1e6, errors.status, failed,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end
