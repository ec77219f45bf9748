# Looks up the stations of a tour in the gazetteer and adds up its length.
RECORD = 34
Place = Struct.new(:name, :east, :north, :height)

class Gazetteer
  def initialize(path)
    @file = File.open(path, 'rb')
    @count = @file.size / RECORD
  end

  attr_reader :count

  def fetch(number)
    raise IndexError, "no place #{number}" unless number.between?(0, @count - 1)

    raw = @file.pread(RECORD, number * RECORD)
    name, east, north, height = raw.unpack('A24NNn')
    Place.new(name, east, north, height)
  end

  def close
    @file.close
  end
end

def distance(one, other)
  Math.hypot(one.east - other.east, one.north - other.north)
end

gazetteer = Gazetteer.new('gazetteer.bin')
tour = File.readlines('tour.txt', chomp: true).map { |line| gazetteer.fetch(line.to_i) }
length = tour.each_cons(2).sum { |a, b| distance(a, b) }
climb = tour.each_cons(2).sum { |a, b| [b.height - a.height, 0].max }

File.open('route.txt', 'w') do |out|
  tour.each_with_index { |p, i| out.puts format('%2d %-12s %6d %5d %4d m', i + 1, p.name, p.east, p.north, p.height) }
end
puts "#{tour.size} of #{gazetteer.count} places"
puts format('%.1f km, %d m of climbing', length / 1000, climb)
puts "highest: #{tour.max_by(&:height).name}"
gazetteer.close
