# Which of her reeds has an oboist played how often? Keyed by file, as the list is merged with others.
Reed = Struct.new(:cane, :hardness, :hours)

REEDS = File.expand_path('reeds').freeze

def sheet(name)
  File.join(REEDS, "#{name}.txt")
end

def load_reed(path)
  cane, hardness, hours = File.read(path).split
  Reed.new(cane, hardness.to_i, hours.to_i)
end

reeds = {}
played = Hash.new(0)

File.foreach('concerts.txt', chomp: true) do |name|
  key = sheet(name)
  reeds[key] ||= load_reed(key)
  played[key] += 1
end

by_cane = reeds.group_by { |_, reed| reed.cane }
by_cane.sort.each do |cane, list|
  hours = list.sum { |_, reed| reed.hours }
  concerts = list.sum { |key, _| played[key] }
  puts "#{cane}: #{list.size} reeds, #{hours} hours, #{concerts} concerts"
end

worn = reeds.select { |key, reed| played[key] > 2 && reed.hours > 15 }
names = worn.keys.map { |key| File.basename(key, '.txt') }
puts "worn out: #{names.sort.join(' ')}"
