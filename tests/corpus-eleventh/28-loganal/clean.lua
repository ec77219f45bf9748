-- loganal: counts log levels and sources, with progress on the way.

local Reader = {}
Reader.__index = Reader

function Reader.open(path)
  local f = assert(io.open(path, "r"))
  local size = f:seek("end")
  f:seek("set", 0)
  return setmetatable({ f = f, lines = 0, here = 0, size = size }, Reader)
end

function Reader:progress()
  return self.here, self.size
end

function Reader:next()
  local line = self.f:read("l")
  if not line then return nil end
  self.lines = self.lines + 1
  self.here = self.here + #line + 1
  return line
end

function Reader:close()
  self.f:close()
end

local function bump(t, k)
  t[k] = (t[k] or 0) + 1
end

local function sorted(t)
  local keys = {}
  for k in pairs(t) do keys[#keys + 1] = k end
  table.sort(keys)
  return keys
end

local path = arg[1] or "service.log"
local r = Reader.open(path)
local levels, sources = {}, {}
local shown = 0
while true do
  local line = r:next()
  if not line then break end
  local level, source = line:match("^%d+ (%u+) (%w+):")
  if level then
    bump(levels, level)
    bump(sources, source)
  end
  local here, size = r:progress()
  local pct = here * 100 // size
  if pct >= shown + 25 then
    shown = pct - pct % 25
    print(shown .. "%")
  end
end
r:close()
for _, k in ipairs(sorted(levels)) do print(k, levels[k]) end
for _, k in ipairs(sorted(sources)) do print(k, sources[k]) end
print(r.lines .. " lines")
