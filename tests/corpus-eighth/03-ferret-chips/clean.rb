# Imports microchip numbers and writes them as JSON, grouped by breeder.
require 'json'

def parse(line)
  number, name, breeder, age = line.chomp.split(',')
  { 'chip' => number, 'name' => name, 'breeder' => "B#{breeder}", 'age' => Integer(age) }
end

def check_digit(number)
  number.each_char.sum { |c| c.to_i } % 10
end

def percent(done, size)
  done * 100 / size
end

by_breeder = Hash.new { |h, k| h[k] = [] }
marks = []
File.open('chips.csv', 'r') do |file|
  done = 0
  size = file.size
  file.each_line do |line|
    record = parse(line)
    record['check'] = check_digit(record['chip'])
    by_breeder[record.delete('breeder')] << record
    done += line.bytesize
    step = percent(done, size) / 25
    marks << step unless marks.include?(step)
  end
end

File.write('chips.json', JSON.pretty_generate(by_breeder.sort.to_h))
puts "progress marks: #{marks.map { |m| "#{m * 25}%" }.join(' ')}"
by_breeder.sort.each do |breeder, list|
  puts "#{breeder}: #{list.size} ferrets, oldest #{list.map { |r| r['age'] }.max}"
end
