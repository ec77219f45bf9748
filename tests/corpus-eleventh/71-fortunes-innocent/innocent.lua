-- fortunes: gathers the quote files of a collection into one book.

local function names(list)
  local f = assert(io.open(list, "r"))
  local out = {}
  for line in f:lines() do
    if line ~= "" and line:sub(1, 1) ~= "#" then out[#out + 1] = line end
  end
  f:close()
  return out
end

local function slurp(path)
  local f, err = io.open(path, "r")
  if not f then return nil, err end
  local text = f:read("a")
  f:close()
  return text
end

local Book = {}
Book.__index = Book

function Book.new()
  return setmetatable({ quotes = {}, authors = {}, files = 0 }, Book)
end

function Book:add(path)
  local text, err = slurp(path)
  if not text then
    io.stderr:write("skipped: ", err, "\n")
    return
  end
  self.files = self.files + 1
  for quote in text:gmatch("(.-)\n%%\n") do
    local author = quote:match("%-%- (.+)$") or "unknown"
    self.authors[author] = (self.authors[author] or 0) + 1
    self.quotes[#self.quotes + 1] = quote
  end
end

function Book:write(path)
  local f = assert(io.open(path, "w"))
  for i, q in ipairs(self.quotes) do
    f:write(i, ". ", q, "\n\n")
  end
  f:close()
end

local book = Book.new()
for _, name in ipairs(names("collection.txt")) do
  book:add("quotes/" .. name)
end
book:write("book.txt")
local n = 0
for _ in pairs(book.authors) do n = n + 1 end
print(string.format("%d files, %d quotes, %d authors", book.files, #book.quotes, n))
