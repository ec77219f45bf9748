#!/usr/bin/env ruby
# Self-test of the valve reader: after each step the number of open descriptors must be what it is
# expected to be, for the reader runs for years.
class ValveReader
  def initialize
    @open = []
  end

  def open(path)
    @open << File.open(path)
  end

  def read_all
    @open.map { |io| io.rewind; io.read[/open (\d)/, 1].to_i }
  end

  def close_one
    @open.shift&.close
  end

  def size
    @open.size
  end
end

def descriptors
  # the listing itself has one descriptor open
  Dir.children('/proc/self/fd').size - 1
end

reader = ValveReader.new
base = descriptors
highest = 0
wrong = []
check = lambda do |step|
  now = descriptors - base
  highest = [highest, now].max
  wrong << step unless now == reader.size
end

(1..20).each do |i|
  reader.open("valves/v#{i}.txt")
  check.call("open #{i}")
end
sum = reader.read_all.sum
check.call('read')
while reader.size.positive?
  reader.close_one
  check.call("close, #{reader.size} left")
end

puts "sum of openings: #{sum}"
puts "highest number of open valves: #{highest}"
puts wrong.empty? ? 'no descriptor lost' : "wrong at: #{wrong.join(', ')}"
