require 'json'

# Books the payments of the members into the ledger of the allotments.
class Ledger
  def initialize(path)
    @path = path
    @plots = JSON.parse(File.read(path))
  end

  def pay(plot, crowns)
    entry = @plots[plot]
    return false unless entry

    entry['owes'] -= crowns
    true
  end

  def owing
    @plots.values.sum { |e| [e['owes'], 0].max }
  end

  def save
    text = JSON.pretty_generate(@plots)
    File.write(@path, "#{text}\n")
  end
end

ledger = Ledger.new('ledger.json')
before = ledger.owing
booked = 0
File.foreach('payments.txt') do |line|
  plot, crowns = line.split
  booked += 1 if ledger.pay(plot, crowns.to_i)
end
ledger.save

puts "#{booked} payments booked"
puts "owed before #{before}, now #{ledger.owing}"
