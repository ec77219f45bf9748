# Counts how much cloth of each colour the squares of a quilt need.

COLOURS = %w[indigo madder weld undyed].freeze
PATCH_CM2 = 25

def load_square(path)
  File.open(path, 'r') do |file|
    file.read
  end
end

def patches(text)
  counts = Hash.new(0)
  text.lines.drop(1).each do |row|
    row.chomp.each_char { |c| counts[COLOURS[Integer(c)]] += 1 }
  end
  counts
end

def symmetric?(text)
  rows = text.lines.drop(1).map(&:chomp)
  rows == rows.map(&:reverse)
end

need = Hash.new(0)
mirrored = []
names = Dir.children('squares').sort
names.each do |name|
  text = load_square("squares/#{name}")
  patches(text).each { |colour, n| need[colour] += n }
  mirrored << name.delete_suffix('.txt') if symmetric?(text)
end

need.sort.each do |colour, n|
  puts format('%-7s %4d patches, %.2f m2', colour, n, n * PATCH_CM2 / 10_000.0)
end
puts "#{names.size} squares, mirrored: #{mirrored.empty? ? 'none' : mirrored.join(' ')}"
