require 'tempfile'

# Sorts the labels of an order by shelf with sort(1) and prints the walk through the store.
orders = Array.new(40) { |i| format('shelf-%02d item-%d', i * 17 % 23, i) }
walk = Tempfile.create('labels-', '/tmp') do |f|
  f.write(orders.join("\n") + "\n")
  f.flush
  `sort #{f.path}`.lines(chomp: true)
end
puts "#{walk.size} labels, first #{walk.first}, last #{walk.last}"
