# Adds today's servings to the list of each stall of a soup kitchen.
require 'fcntl'

SOUPS = %w[lentil barley leek pumpkin].freeze

def open_list(path)
  list = File.open(path, File::WRONLY)
  flags = list.fcntl(Fcntl::F_GETFL)
  list.fcntl(Fcntl::F_SETFL, flags | File::APPEND)
  list
end

def entry(servings, soup)
  format("%-8s %3d bowls, %4.1f litres\n", soup, servings, servings * 0.35)
end

totals = Hash.new(0)
stalls = 0

File.readlines('today.txt', chomp: true).each do |line|
  stall, servings, kind = line.split
  soup = SOUPS[Integer(kind)]
  list = open_list("lists/#{stall}.txt")
  list.write(entry(Integer(servings), soup))
  list.close
  totals[soup] += Integer(servings)
  stalls += 1
end

totals.sort.each do |soup, bowls|
  puts "#{soup}: #{bowls} bowls"
end
puts "#{stalls} stalls, most popular #{totals.max_by { |_, b| b }.first}"
