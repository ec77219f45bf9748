# Walks through the doors of the maze and notes where each of them leads.
START = Dir.pwd

Passage = Struct.new(:door, :room) do
  def to_s = "door #{door} leads to #{room}"
end

def through(door)
  Dir.chdir(File.join(START, "maze/hall#{door % 4}/door#{door}"))
  Passage.new(door, Dir.pwd.delete_prefix("#{START}/maze/"))
end

passages = (1..20).map { |door| through(door) }
Dir.chdir(START)

File.open('passages.txt', 'w') do |out|
  passages.each { |passage| out.puts passage }
end

halls = passages.group_by { |passage| passage.room.split('/').first }
halls.sort.each do |hall, list|
  puts "#{hall}: doors #{list.map(&:door).join(' ')}"
end

visited = []
room = 1
until visited.include?(room)
  visited << room
  passage = passages.find { |p| p.door == room }
  room = passage.room[/\d+\z/].to_i
end
puts "a walk from door 1 sees #{visited.size} rooms"
