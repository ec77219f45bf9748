# Counts the doves of the dovecote by the colour of their rings.

class Dovecote
  attr_reader :colours, :lost

  def initialize(folder)
    @folder = folder
    @colours = Hash.new(0)
    @years = Hash.new(0)
    @lost = []
  end

  def card(ring)
    path = File.join(@folder, "#{ring}.card")
    return nil unless File.file?(path)

    File.read(path).lines.to_h { |line| line.chomp.split(': ', 2) }
  end

  def add(ring)
    facts = card(ring)
    if facts.nil?
      @lost << ring
      return
    end
    @colours[facts['colour']] += 1
    @years[facts['hatched'].to_i] += 1
  end

  def eldest
    @years.min
  end
end

cote = Dovecote.new('rings')
File.foreach('roll.txt', chomp: true) { |ring| cote.add(ring) }

cote.colours.sort.each { |colour, count| puts "#{colour}: #{count}" }
year, count = cote.eldest
puts "eldest: #{count} of #{year}"
puts "lost: #{cote.lost.join(' ')}"
