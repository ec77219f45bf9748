
# Sorts the labels of an order by shelf with sort(1) and prints the walk through the store.
orders = Array.new(40) { |i| format('shelf-%02d item-%d', i * 17 % 23, i) }
list = "/tmp/labels-#{Process.pid}.txt"
File.write(list, orders.join("\n") + "\n")
walk = `sort #{list}`.lines(chomp: true)
File.delete(list)
puts "#{walk.size} labels, first #{walk.first}, last #{walk.last}"
