require 'socket'

# A bet counts when it is on disk: only then does the customer get the slip.
class Book
  attr_reader :bets, :pounds

  def initialize(path)
    flags = File::WRONLY | File::APPEND | File::DSYNC
    @file = File.open(path, flags)
    @file.sync = true
    @bets = @pounds = 0
  end

  def take(horse, stake)
    @bets += 1
    @file.write(format("%04d %-8s %5d\n", @bets, horse, stake))
    @pounds += stake
    @bets
  end

  def close
    @file.close
  end
end

def customer(socket)
  slips = []
  File.foreach('wishes.txt', chomp: true) do |wish|
    socket.puts wish
    slips << socket.gets.chomp
  end
  socket.puts 'bye'
  File.write('slips.txt', slips.join("\n") + "\n")
end

mine, theirs = UNIXSocket.pair
child = fork do
  mine.close
  customer(theirs)
end
theirs.close

book = Book.new('book.txt')
refused = 0
while (line = mine.gets) && line != "bye\n"
  horse, stake = line.split
  if stake.to_i > 500
    refused += 1
    mine.puts 'refused'
  else
    mine.puts "slip #{book.take(horse, stake.to_i)} #{horse}"
  end
end
book.close
Process.wait(child)
puts "#{book.bets} bets, #{book.pounds} pounds, #{refused} refused"
