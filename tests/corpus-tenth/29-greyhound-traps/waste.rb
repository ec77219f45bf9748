# Evening programme of a greyhound track: reads the timing sheet, keeps the
# winners' board that the betting hall reads after a power cut.
class Board
  attr_reader :lines

  def initialize(path)
    @file = File.open(path, 'a')
    @lines = 0
  end

  def add(race, trap, time)
    @file.write(format("race %02d  trap %d  %.2f s\n", race, trap, time / 100.0))
    @lines += 1
  end

  def commit
    @file.fsync
  end

  def close
    @file.close
  end
end

def winner(fields)
  fields.map { |f| f.split(':').map(&:to_i) }.min_by { |trap, time| [time, trap] }
end

board = Board.new('board.txt')
void = 0
wins = Hash.new(0)

File.foreach('races.txt') do |line|
  race, *fields = line.split
  if fields == ['void']
    void += 1
  else
    trap, time = winner(fields)
    wins[trap] += 1
    board.add(race.to_i, trap, time)
  end
  board.commit
end
board.close

puts "#{board.lines} races run, #{void} void"
wins.sort.each { |trap, n| puts "trap #{trap}: #{n} wins" }
