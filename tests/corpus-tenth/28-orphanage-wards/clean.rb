# Enters the changes of the week in the registers of the wards.

FOLDER = 'wards'

class Register
  def initialize(ward)
    @path = File.join(FOLDER, "#{ward}.reg")
    @rows = File.readlines(@path, chomp: true).map { |line| line.split(';') }
  end

  def change(child, what)
    row = @rows.find { |r| r[0] == child }
    raise "#{child} is not in #{@path}" unless row
    if what == 'gone'
      @rows.delete(row)
    else
      row[2] = what
    end
  end

  def size
    @rows.size
  end

  def save
    text = @rows.map { |row| row.join(';') + "\n" }.join
    File.open("#{@path}.new", 'w') do |f|
      f.write(text)
      f.fsync
    end
    File.rename("#{@path}.new", @path)
    File.open(FOLDER, &:fsync)
  end
end

children = 0
changes = 0
File.foreach('changes.txt', chomp: true) do |line|
  ward, child, what = line.split
  register = Register.new(ward)
  register.change(child, what)
  register.save
  children += register.size
  changes += 1
  puts "#{ward}: #{child} #{what}"
end
puts "#{changes} changes, #{children} children"
