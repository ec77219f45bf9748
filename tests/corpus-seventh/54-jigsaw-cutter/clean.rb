# Works out the cuts of the jigsaw puzzles and writes the order for the saw.
Puzzle = Struct.new(:name, :columns, :rows) do
  def pieces = columns * rows

  def outline
    (0...rows).map do |r|
      (0...columns).map { |c| ((c * 3 + r * 5 + columns) % 2).zero? ? '(' : ')' }.join
    end
  end
end

def length_of_cuts(outline)
  outline.sum { |row| row.count('(') * 21 + row.count(')') * 19 }
end

puzzles = File.readlines('puzzles.txt', chomp: true).map do |line|
  name, columns, rows = line.split
  Puzzle.new(name, columns.to_i, rows.to_i)
end

order = []
puzzles.each_with_index do |puzzle, i|
  outline = puzzle.outline
  order << [puzzle.name, puzzle.pieces, length_of_cuts(outline)]
end

File.open('saw-order.txt', 'w') do |out|
  order.sort_by { |_, _, cuts| -cuts }.each { |row| out.puts row.join(' ') }
end
puts "#{order.size} puzzles, #{order.sum { |_, pieces, _| pieces }} pieces"
puts "#{order.sum(&:last)} mm to cut"
