#!/usr/bin/env ruby
# Looks up the stars of an observing plan in the catalogue.

RECORD = 24

Star = Struct.new(:id, :ra, :dec, :name)

class Catalogue
  def initialize(path)
    @file = File.open(path, 'rb')
    @count = @file.size / RECORD
  end

  attr_reader :count

  def star(id)
    raise IndexError, "no star #{id}" unless (1..@count).cover?(id)

    @file.seek((id - 1) * RECORD)
    Star.new(*@file.read(RECORD).unpack('N n n A16'))
  end

  def close
    @file.close
  end
end

def visible?(star)
  star.dec > 35 && star.ra.between?(6_000, 30_000)
end

catalogue = Catalogue.new('stars.dat')
plan = File.readlines('wanted.txt', chomp: true).map(&:to_i)

seen = []
hidden = 0
plan.each do |id|
  star = catalogue.star(id)
  raise "catalogue is broken at #{id}" unless star.id == id

  if visible?(star)
    seen << star
  else
    hidden += 1
  end
end

puts "#{catalogue.count} stars, #{plan.size} wanted"
puts "#{seen.size} visible, #{hidden} hidden"
best = seen.max_by(&:dec)
puts "highest is #{best.name} at #{best.dec} degrees"
puts "mean right ascension #{(seen.sum(&:ra) / seen.size.to_f / 100).round(2)}"
catalogue.close
