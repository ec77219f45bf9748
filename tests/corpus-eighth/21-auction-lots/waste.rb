# Checks bids against the start prices of their lots, in the order the bids came.

Entry = Struct.new(:offset, :length)

def load_index(path)
  File.readlines(path).to_h do |line|
    number, offset, length = line.split.map { |f| Integer(f) }
    [number, Entry.new(offset, length)]
  end
end

def lot_text(file, entry)
  file.sysseek(entry.offset)
  file.sysread(entry.length)
end

def start_price(text)
  head = text[0, text.index("\n")]
  _, start, what = head.split('|')
  [Integer(start.delete_prefix('start ')), what]
end

index = load_index('lots.idx')
accepted = Hash.new(0)
refused = 0
best = {}

File.open('lots.dat', 'rb') do |file|
  File.foreach('bids.txt') do |line|
    number, offer = line.split.map { |f| Integer(f) }
    start, what = start_price(lot_text(file, index.fetch(number)))
    if offer >= start
      accepted[what] += 1
      best[number] = offer if offer > best.fetch(number, 0)
    else
      refused += 1
    end
  end
end

accepted.sort.each { |what, n| puts "#{what}: #{n} bids" }
puts "#{refused} bids too low, #{best.size} lots sold for #{best.values.sum}"
