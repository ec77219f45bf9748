#!/usr/bin/env ruby
# Results of a rowing regatta from the files of the heats.

Result = Struct.new(:boat, :crew, :millis) do
  def time
    format('%d:%06.3f', millis / 60_000, (millis % 60_000) / 1000.0)
  end
end

def parse(line)
  boat, crew, millis = line.chomp.split(';')
  Result.new(boat, crew, Integer(millis))
end

def read_heat(path)
  boats = File.foreach(path).count
  raise "#{path} is empty" if boats.zero?

  results = File.foreach(path).map { |line| parse(line) }
  [boats, results.sort_by(&:millis)]
end

finalists = []
entries = 0
slow_heats = 0

(1..24).each do |heat|
  boats, results = read_heat("heats/h#{heat}.csv")
  entries += boats
  qualified = results.first(boats / 100)
  slow_heats += 1 if qualified.first.millis > 380_500
  finalists.concat(qualified)
end

finalists.sort_by! { |r| [r.millis, r.boat] }
puts "#{entries} entries, #{finalists.size} finalists, #{slow_heats} slow heats"
finalists.first(3).each_with_index do |r, i|
  puts "#{i + 1}. #{r.boat} #{r.time} (#{r.crew})"
end
