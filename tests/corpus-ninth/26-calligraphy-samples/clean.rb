# Hangs the samples the jury liked, one directory for each script.
require 'fileutils'

SAMPLES = 'samples'.freeze
EXHIBITION = 'exhibition'.freeze
ENOUGH = 10

Sample = Struct.new(:name, :points, :script) do
  def source
    File.join(SAMPLES, "#{name}.raw")
  end

  def wall
    File.join(EXHIBITION, script)
  end
end

def jury(path)
  File.readlines(path, chomp: true).map do |line|
    name, points, script = line.split
    Sample.new(name, points.to_i, script)
  end
end

def hang(sample, place)
  target = File.join(sample.wall, format('%02d-%s.raw', place, sample.name))
  IO.copy_stream(sample.source, target)
  target
end

chosen = jury('jury.txt').select { |s| s.points >= ENOUGH }
walls = chosen.group_by(&:script)
FileUtils.mkdir_p(walls.keys.map { |script| File.join(EXHIBITION, script) })

hung = 0
File.open(File.join(EXHIBITION, 'guide.txt'), 'w') do |guide|
  walls.sort.each do |script, samples|
    guide.puts script
    samples.sort_by { |s| [-s.points, s.name] }.each.with_index(1) do |sample, place|
      guide.puts "  #{place}. #{File.basename(hang(sample, place))}"
      hung += 1
    end
  end
end
puts "#{hung} samples hung"
walls.sort.each { |script, samples| puts "#{script}: #{samples.size}, best #{samples.max_by { |s| [s.points, s.name] }.name}" }
