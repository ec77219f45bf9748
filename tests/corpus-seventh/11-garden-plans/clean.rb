# Adds up the seed that all beds of the garden need.

ENDINGS = %w[plan sketch csv txt].freeze

class Garden
  def initialize(folder)
    @folder = folder
    @kinds = Hash.new(0)
    @there = Dir.children(folder).to_h { |name| [name, true] }
  end

  attr_reader :kinds

  def ending(bed)
    ENDINGS.find { |e| @there["#{bed}.#{e}"] }
  end

  def seed(bed)
    e = ending(bed)
    raise "no plan for #{bed}" unless e

    @kinds[e] += 1
    _, rows, _, grams = File.read(File.join(@folder, "#{bed}.#{e}")).split
    rows.to_i * grams.to_i
  end
end

garden = Garden.new('beds')
grams = 0
most = [0, nil]
36.times do |number|
  bed = "bed#{number}"
  need = garden.seed(bed)
  grams += need
  most = [need, bed] if need > most[0]
end

puts "#{grams} g of seed in all"
puts "most: #{most[1]} with #{most[0]} g"
puts garden.kinds.sort.map { |kind, count| "#{count} #{kind}" }.join(', ')
