# Renders the printing plates into a staging folder beside the plates, then hands them to the press.
require 'fileutils'
require 'tmpdir'

WIDTH = 120

def render(cols, rows)
  (0...WIDTH).map do |y|
    (0...WIDTH).map { |x| (x * (cols + 1) + y * (rows + 1)) % 9 < 4 ? '#' : '.' }.join
  end.join("\n") + "\n"
end

def stage(dir, name, text)
  path = File.join(dir, "#{name}.plate")
  File.write(path, text)
  path
end

orders = File.readlines('plates.txt', chomp: true).map(&:split)
finished = []

Dir.mktmpdir('.staging-', 'plates') do |staging|
  orders.each do |word, number, cols, rows|
    text = render(cols.to_i, rows.to_i)
    path = stage(staging, "#{word}-#{number}", text)
    next if text.count('#') < 100 # nothing to print

    target = File.join('plates', File.basename(path))
    FileUtils.mv(path, target)
    finished << [target, text.count('#')]
  end
end

puts "#{finished.size} plates of #{orders.size} ready"
finished.first(4).each { |path, dots| puts "#{path} #{dots} dots" }
puts "#{finished.sum { |path, _| File.size(path) }} bytes"
