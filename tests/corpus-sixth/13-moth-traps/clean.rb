#!/usr/bin/env ruby
# Adds up the moths that were caught in the traps of one summer.

TRAPS = 'nights/*.csv'

def night_files
  Dir.glob(TRAPS).sort_by { |f| f[/\d+/].to_i }
end

def catch_of(path)
  File.readlines(path, chomp: true).to_h do |line|
    moth, number = line.split(',')
    [moth, number.to_i]
  end
rescue Errno::ENOENT
  warn "#{path} is missing"
  nil
end

season = Hash.new(0)
best_night = nil
best_count = -1
files = night_files

files.each do |path|
  night = catch_of(path) or next
  night.each { |moth, number| season[moth] += number }
  sum = night.values.sum
  if sum > best_count
    best_count = sum
    best_night = path[/\d+/].to_i
  end
end

puts "#{files.size} nights"
season.sort.each { |moth, number| puts format('%-8s %5d', moth, number) }
puts "best night #{best_night} with #{best_count}"
