# Keeps the ledger of three ferries: takings of each boat and the number of trips.
require 'yaml'

class Ledger
  FILE = 'ledger.yml'

  def initialize
    @data = YAML.safe_load(File.read(FILE))
  end

  def trip(boat, takings)
    raise ArgumentError, "no boat #{boat}" unless @data['boats'].key?(boat)

    @data['boats'][boat] += takings
    @data['trips'] += 1
    save
  end

  def report
    @data['boats'].map { |boat, sum| format('%-6s %6d', boat, sum) } << "#{@data['trips']} trips"
  end

  private

  def save
    File.write(FILE, YAML.dump(@data))
  end
end

day = [
  ['Alma', 64],
  ['Brita', 112],
  ['Alma', 31],
  ['Cora', 8]
]

ledger = Ledger.new
day.each do |boat, takings|
  ledger.trip(boat, takings)
  puts "#{boat}: #{takings} entered"
end
puts ledger.report
puts Ledger.new.report == ledger.report ? 'ledger reads back' : 'ledger differs'
