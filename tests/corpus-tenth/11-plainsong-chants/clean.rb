# Collects the chants of a proper in one booklet, whatever notation they are kept in.

ENDINGS = %w[.gabc .nabc .lily .txt .md].freeze

KEPT = Dir.children('chants').to_h { |entry| [entry, true] }.freeze

def source_of(name)
  ending = ENDINGS.find { |e| KEPT.key?(name + e) }
  ending && File.join('chants', name + ending)
end

def mode_of(text)
  text[/^mode (\d+)/, 1].to_i
end

booklet = []
modes = Hash.new(0)
notations = Hash.new(0)
missing = []

File.readlines('proper.txt', chomp: true).each do |name|
  path = source_of(name)
  if path.nil?
    missing << name
    next
  end
  text = File.read(path)
  modes[mode_of(text)] += 1
  notations[File.extname(path)] += 1
  booklet << "% #{name}\n" << text
end

File.write('booklet.txt', booklet.join)
notations.sort.each { |ending, n| puts "#{ending} #{n}" }
puts 'modes ' + modes.sort.map { |m, n| "#{m}:#{n}" }.join(' ')
puts "missing #{missing.join(' ')}"
