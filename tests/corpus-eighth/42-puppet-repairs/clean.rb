# Adds up the hours of repair for the puppets of a theatre, case by case.
Repair = Struct.new(:puppet, :part, :hours)

def in_case(number, name)
  File.join("puppets/case#{number}", name)
end

def read_repair(number)
  name = "p#{number}"
  part, hours, = File.read(in_case(number % 8, "#{name}.txt")).split
  Repair.new(name, part, hours.to_i)
end

repairs = (1..32).map { |i| read_repair(i) }

by_part = repairs.group_by(&:part)
by_part.sort.each do |part, list|
  total = list.sum(&:hours)
  longest = list.max_by { |r| [r.hours, r.puppet] }
  puts "#{part}: #{total} hours, longest #{longest.puppet}"
end

idle = repairs.select { |r| r.hours.zero? }
File.open('bill.txt', 'w') do |out|
  repairs.each do |r|
    out.puts format('%-5s %-6s %2d', r.puppet, r.part, r.hours) if r.hours.positive?
  end
end

puts "#{repairs.size - idle.size} repaired, #{idle.size} untouched"
puts "#{repairs.sum(&:hours)} hours"
