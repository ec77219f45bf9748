# Stock list of a costumier: every hanger has a slip, the list knows them by full path.
class Stock
  Slip = Struct.new(:path, :costume, :size)

  def initialize
    @slips = {}
    @root = Dir.pwd
  end

  attr_reader :slips

  def full(path)
    File.join(@root, path)
  end

  def add(path)
    path = full(path)
    return if @slips.key?(path)
    text = File.read(path)
    match = text.match(/\Acostume (\d+) size (\d+)/)
    raise "#{path}: no slip" unless match
    @slips[path] = Slip.new(path, match[1].to_i, match[2].to_i)
  end

  def racks
    @slips.values.group_by { |s| File.basename(File.dirname(s.path)) }
  end
end

stock = Stock.new
File.foreach('hangers.txt', chomp: true) { |path| stock.add(path) }

File.open('stock.txt', 'w') do |out|
  stock.racks.sort.each do |rack, slips|
    out.puts "#{rack}: #{slips.map(&:costume).sort.join(' ')}"
  end
end

sizes = stock.slips.values.map(&:size)
puts "#{stock.slips.size} hangers on #{stock.racks.size} racks"
puts "sizes #{sizes.min} to #{sizes.max}"
puts "costumes: #{stock.slips.values.map(&:costume).uniq.size}"
