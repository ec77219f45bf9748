#!/usr/bin/env ruby
# Values a stamp collection from its record cards.

class Stamp
  attr_reader :year, :face, :motif, :printed

  def initialize(text)
    text.each_line(chomp: true) do |line|
      key, value = line.split(' ', 2)
      case key
      when 'year' then @year = value.to_i
      when 'face' then @face = value.to_i
      when 'motif' then @motif = value
      when 'printed' then @printed = value.to_i
      end
    end
  end

  def value
    age = 2026 - year
    (face * age * age / (printed / 100.0 + 50)).round(2)
  end
end

def read_fast(path)
  File.open(path, 'rb') do |f|
    f.read
  end
end

stamps = (1..60).map { |n| Stamp.new(read_fast("stamps/#{n}.stamp")) }

total = stamps.sum(&:value).round(2)
best = stamps.max_by(&:value)
puts "#{stamps.size} stamps from #{stamps.map(&:year).min} to #{stamps.map(&:year).max}"
puts "worth #{total}"
puts "best: #{best.motif} of #{best.year}, #{best.value}"

stamps.group_by { |s| s.year / 50 * 50 }.sort.each do |from, group|
  puts "#{from}-#{from + 49}: #{group.size} stamps, #{group.sum(&:value).round(2)}"
end
