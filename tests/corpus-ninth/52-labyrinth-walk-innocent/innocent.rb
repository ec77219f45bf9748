require 'set'

# Follows the doors of a labyrinth, some of which are links back into it,
# and says at each step in which room one really is.
class Walker
  attr_reader :rooms, :steps, :loops

  def initialize
    @home = Dir.pwd
    @rooms = Set.new
    @steps = 0
    @loops = 0
  end

  def here
    Dir.pwd.delete_prefix(@home + '/')
  end

  def go(door)
    Dir.chdir(door)
    @steps += 1
    room = here
    @loops += 1 unless @rooms.add?(room)
    room
  end
end

walker = Walker.new
plan = File.readlines('plan.txt', chomp: true)
log = []
plan.each do |door|
  log << "#{door}: #{walker.go(door)}"
rescue Errno::ENOENT
  log << "no door #{door}"
end

puts log.last(3)
puts "#{walker.steps} doors, #{walker.rooms.size} rooms, #{walker.loops} seen before"
puts "#{log.grep(/^no door/).size} walls"
