require 'digest'

Carving = Struct.new(:stall, :subject, :wood, :sum)

def read_card(stall)
  fields = {}
  File.foreach('card.txt') do |line|
    key, value = line.chomp.split('=', 2)
    fields[key] = value
  end
  sum = Digest::MD5.hexdigest(File.binread('photo.raw'))
  Carving.new(stall, fields['subject'], fields['wood'], sum[0, 8])
end

stalls = File.readlines('order.txt', chomp: true)
carvings = []
stalls.each do |stall|
  Dir.chdir(stall) do
    carvings << read_card(File.basename(stall))
  end
end

by_wood = carvings.group_by(&:wood)
File.open('inventory.txt', 'w') do |out|
  by_wood.sort.each do |wood, list|
    out.puts "#{wood}: #{list.size}"
    list.sort_by(&:subject).each do |c|
      out.puts "  #{c.subject} (#{c.stall}) #{c.sum}"
    end
  end
end
puts "#{carvings.size} carvings of #{by_wood.size} woods"
puts "first: #{carvings.min_by(&:subject).subject}"
