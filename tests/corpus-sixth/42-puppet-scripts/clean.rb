# The archive has one folder per play, with its title and its script.
# Makes the list of plays of the puppet theatre with the lines of each puppet.

Play = Struct.new(:title, :lines, :roles)

def read_play(dir)
  title = File.read(File.join(dir, 'title')).strip
  roles = Hash.new(0)
  lines = File.readlines(File.join(dir, 'script.txt'), chomp: true)
  lines.each do |line|
    role, text = line.split(': ', 2)
    roles[role] += text.split.size
  end
  Play.new(title, lines.size, roles)
end

def merge(plays)
  plays.each_with_object(Hash.new(0)) do |play, sum|
    play.roles.each { |role, words| sum[role] += words }
  end
end

folders = Dir.children('plays').sort_by { |name| name[/\d+/].to_i }
plays = folders.map { |name| read_play(File.join('plays', name)) }

puts "#{plays.size} plays, #{plays.sum(&:lines)} lines"
puts "first: #{plays.first.title}, last: #{plays.last.title}"
merge(plays).sort.each { |role, words| puts "#{role} speaks #{words} words" }
