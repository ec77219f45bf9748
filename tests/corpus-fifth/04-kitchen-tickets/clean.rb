# Turns the orders of an evening into kitchen tickets, one file for each table.
class TicketWriter
  BOLD = "\e[1m"
  RESET = "\e[0m"

  def initialize(io, screen:)
    @io = io
    @screen = screen
  end

  def heading(text)
    @io.puts(emphasize(text.upcase))
    @io.puts('-' * 24)
  end

  def item(count, dish, note)
    line = format('%2d x %-12s', count, dish)
    line += ' ' + emphasize("! #{note}") unless note.empty?
    @io.puts(indent(line))
  end

  private

  def emphasize(text)
    @screen ? "#{BOLD}#{text}#{RESET}" : text
  end

  def indent(text)
    @screen ? text : "  #{text}"
  end
end

orders = Hash.new { |h, k| h[k] = [] }
File.foreach('orders.txt', chomp: true) do |line|
  table, dish, count, note = line.split(';', 4)
  orders[table.to_i] << [count.to_i, dish, note]
end

dishes = Hash.new(0)
orders.keys.sort.each do |table|
  File.open("out/table-#{table}.txt", 'w') do |f|
    ticket = TicketWriter.new(f, screen: false)
    ticket.heading("table #{table}")
    orders[table].each do |count, dish, note|
      ticket.item(count, dish, note)
      dishes[dish] += count
    end
  end
end

puts "#{orders.size} tickets"
dishes.sort.each { |dish, n| puts format('%-8s %d', dish, n) }
