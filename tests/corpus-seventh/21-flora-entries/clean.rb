# Answers the questions of the botanists from the flora and its index.

class Flora
  Entry = Struct.new(:species, :petals, :found)

  def initialize(data, index)
    @file = File.open(data, 'rb')
    @index = {}
    File.foreach(index) do |line|
      species, at, length = line.split.map(&:to_i)
      @index[species] = [at, length]
    end
  end

  def entry(species)
    at, length = @index.fetch(species)
    words = @file.pread(length, at).split
    Entry.new(words[1].to_i, words[3].to_i, words[5].to_i)
  end

  def close
    @file.close
  end
end

flora = Flora.new('flora.dat', 'flora.idx')
petals = Hash.new(0)
found = 0
rarest = nil
File.foreach('questions.txt') do |line|
  entry = flora.entry(line.to_i)
  raise "index is wrong at #{line}" unless entry.species == line.to_i

  petals[entry.petals] += 1
  found += entry.found
  rarest = entry if rarest.nil? || entry.found < rarest.found
end
flora.close

puts petals.sort.map { |p, n| "#{n} with #{p} petals" }.join(', ')
puts "found #{found} times, rarest species #{rarest.species}"
