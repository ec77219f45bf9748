#!/usr/bin/env ruby
# Writes the manifest of a barge: the list of crates, grouped by dock, with a checksum at the end.
Crate = Struct.new(:name, :weight, :dock)

crates = File.readlines('crates.txt', chomp: true).map do |line|
  name, weight, dock = line.split
  Crate.new(name, Integer(weight), dock)
end

class Manifest
  def initialize(path)
    @io = File.open(path, File::WRONLY | File::CREAT | File::TRUNC, 0o644)
    @sum = 0
  end

  def line(text)
    @sum = (@sum * 33 + text.sum) % 0xffffff
    @io.write(text + "\n")
  end

  def finish
    @io.write(format("checksum %06x\n", @sum))
    @io.fsync # the manifest must be on the disk before the barge leaves
    @io.close
  end
end

m = Manifest.new('manifest.txt')
crates.group_by(&:dock).sort.each do |dock, list|
  m.line("#{dock} #{list.size} crates")
  list.sort_by { |c| [-c.weight, c.name] }.each do |c|
    m.line(format('  %-8s %3d kg', c.name, c.weight))
  end
end
m.finish

puts "crates: #{crates.size}"
puts "weight: #{crates.sum(&:weight)} kg"
puts File.readlines('manifest.txt').last
