#!/usr/bin/env lua5.4
-- Adds up meter readings from a file of fixed records.
local RECORD = 64

local here = arg[0]:match("^(.*)/[^/]*$") or "."

local Store = {}
Store.__index = Store

function Store.open(path)
  local f = assert(io.open(path, "rb"))
  local head = f:read(RECORD)
  local version, count = head:match("^METER v(%d+) (%d+)")
  assert(version == "1", "unknown version")
  return setmetatable({ file = f, count = tonumber(count) }, Store)
end

-- the next record
function Store:record()
  local raw = self.file:read(RECORD)
  local meter, when, value, unit = raw:match("^(%d+)%s+(%d+)%s+(%d+)%s+(%a+)")
  return { meter = meter, when = tonumber(when), value = tonumber(value), unit = unit }
end

function Store:close()
  self.file:close()
end

local function summarize(store)
  local sums, first, last, names = {}, nil, nil, {}
  for n = 1, store.count do
    local r = store:record()
    if not sums[r.meter] then
      sums[r.meter] = 0
      names[#names + 1] = r.meter
    end
    sums[r.meter] = sums[r.meter] + r.value
    first = math.min(first or r.when, r.when)
    last = math.max(last or r.when, r.when)
  end
  table.sort(names)
  return sums, names, first, last
end

local store = Store.open(here .. "/readings.dat")
local sums, names, first, last = summarize(store)
store:close()
for _, name in ipairs(names) do
  print(string.format("%s %8d kWh", name, sums[name]))
end
print(string.format("%d readings, %d meters, %d s", store.count, #names, last - first))
