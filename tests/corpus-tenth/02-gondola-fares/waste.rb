# Prints the day's cable car tickets and the till total.

class Fares
  FILE = 'fares.csv'

  def initialize
    @prices = {}
    File.foreach(FILE) do |line|
      way, who, cents = line.chomp.split(',')
      @prices[[way, who]] = cents.to_i
    end
  end

  def price(way, who)
    @prices.fetch([way, who])
  end

  def edition
    File.mtime(FILE).strftime('%Y/%m')
  end
end

def ticket(fares, number, way, adults, children)
  cents = adults * fares.price(way, 'adult') + children * fares.price(way, 'child')
  text = format("No %03d  %-4s  %d+%d  %7.2f  (fares %s)\n",
                number, way, adults, children, cents / 100.0, fares.edition)
  [text, cents]
end

fares = Fares.new
total = 0
sheets = []
File.foreach('sales.txt') do |line|
  number, way, adults, children = line.split
  text, cents = ticket(fares, number.to_i, way, adults.to_i, children.to_i)
  sheets << text
  total += cents
end

File.write('tickets.txt', sheets.join)
puts "#{sheets.size} tickets"
puts format('till %.2f', total / 100.0)
