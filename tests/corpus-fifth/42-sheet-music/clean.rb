#!/usr/bin/env ruby
# Counts bars and notes in a library of sheet music, and writes a .bars file beside each part.
Part = Struct.new(:composer, :name, :bars, :notes)

def parts
  Dir.children('music').sort.flat_map do |composer|
    Dir.children("music/#{composer}").select { |n| n.end_with?('.abc') }.sort.map { |n| [composer, n] }
  end
end

def count(composer, name)
  notes = bars = 0
  path = File.join('music', composer, name)
  File.foreach(path) do |line|
    notes += line.to_i % 8
    bars += 1 if (line.to_i % 4).zero?
  end
  File.write(path.sub(/\.abc\z/, '.bars'), "#{bars}\n")
  Part.new(composer, name, bars, notes)
end

counted = parts.map { |composer, name| count(composer, name) }

counted.group_by(&:composer).each do |composer, list|
  puts format('%-6s %2d parts %4d bars %5d notes', composer, list.size, list.sum(&:bars), list.sum(&:notes))
end
longest = counted.max_by { |p| [p.notes, p.name] }
puts "longest: #{longest.composer}/#{longest.name}"
