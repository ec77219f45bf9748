Permit = Struct.new(:number, :holder, :tons, :stone)

def load_permits(path)
  File.readlines(path, chomp: true).each_with_index.map do |line, i|
    holder, tons, stone = line.split(',')
    Permit.new(i + 1, holder, tons.to_i, stone)
  end
end

def put_down(file, permit)
  text = +"PERMIT #{format('%03d', permit.number)}\n"
  text << "holder: #{permit.holder}\n"
  text << "stone: #{permit.stone}\n"
  text << "tons: #{permit.tons}\n"
  file.write(text)
  file.fsync
  text.sum
end

def seal(file, permit, checksum)
  raise 'not written' if file.pos.zero?
  file.fsync
  "#{format('%03d', permit.number)} #{checksum}"
end

seals = []
permits = load_permits('holders.csv')
permits.each do |permit|
  name = format('permits/p%03d.txt', permit.number)
  File.open(name, 'w') do |file|
    checksum = put_down(file, permit)
    seals << seal(file, permit, checksum)
  end
end
Dir.open('permits') { |d| IO.for_fd(d.fileno, autoclose: false).fsync }

puts "#{permits.size} permits, #{permits.sum(&:tons)} tons"
puts "first seal #{seals.first}, last seal #{seals.last}"
