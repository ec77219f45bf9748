# Lists the seals at the end of the reliquary's caskets.
SEAL_LENGTH = 32
MAGIC = 'SEAL0001'.freeze

Seal = Struct.new(:casket, :year, :bones, :abbey)

class BadSeal < StandardError; end

def seal_of(path)
  File.open(path, 'rb') do |file|
    file.sysseek(-SEAL_LENGTH, IO::SEEK_END)
    raw = file.sysread(SEAL_LENGTH)
    magic, year, bones, abbey = raw.unpack('A8NNA16')
    raise BadSeal, path unless magic == MAGIC

    Seal.new(File.basename(path, '.bin'), year, bones, abbey)
  end
end

def century(seal)
  (seal.year / 100) + 1
end

seals = []
broken = []
(1..20).each do |number|
  seals << seal_of("caskets/c#{number}.bin")
rescue BadSeal => e
  broken << e.message
end

list = seals.sort_by { |s| [s.year, s.casket] }.map do |seal|
  format('%-5s %4d  %3d relics  %s', seal.casket, seal.year, seal.bones, seal.abbey)
end
File.write('seals.txt', list.join("\n") + "\n")

puts "#{seals.size} seals whole, #{broken.size} broken"
seals.group_by { |s| century(s) }.sort.each do |number, group|
  puts "century #{number}: #{group.size} caskets, #{group.sum(&:bones)} relics"
end
