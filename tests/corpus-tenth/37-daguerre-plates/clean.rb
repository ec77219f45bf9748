# Develops the plates of a day: each sitting becomes one PGM picture in the gallery.
require 'fileutils'

GALLERY = 'gallery'

def picture(width, height, tone)
  rows = Array.new(height) do |y|
    Array.new(width) { |x| (tone + 7 * x * y + x) % 256 }
  end
  "P2\n#{width} #{height}\n255\n" + rows.map { |r| r.join(' ') }.join("\n") + "\n"
end

def develop(name, width, height, tone)
  plate = File.join(GALLERY, "#{name}.pgm")
  File.open(plate, 'w') do |f|
    f.write(picture(width * 12, height * 10, tone))
  end
end

FileUtils.mkdir_p(GALLERY)

sittings = File.readlines('sittings.txt', chomp: true).map do |line|
  name, width, height, tone = line.split
  [name, width.to_i, height.to_i, tone.to_i]
end

silver = 0
sittings.each do |name, width, height, tone|
  develop(name, width, height, tone)
  silver += width * height
end

puts "#{sittings.size} plates developed"
puts "silver used: #{silver} grains"
puts "largest: #{sittings.max_by { |s| [s[1] * s[2], s[0]] }.first}"
