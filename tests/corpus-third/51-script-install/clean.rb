# Writes small wrapper scripts for a list of tools.
File.umask(0o022)

class Wrapper
  def initialize(dir)
    @dir = dir
    @count = 0
  end

  attr_reader :count

  def write(tool)
    path = File.join(@dir, tool)
    File.open(path, File::WRONLY | File::CREAT | File::EXCL, 0o755) do |f|
      f << "#!/bin/sh\n" << "exec /opt/#{tool}/bin/run \"$@\"\n"
    end
    @count += 1
  end
end

w = Wrapper.new('bin')
File.foreach('tools.txt', chomp: true) { |t| w.write(t) }
executable = Dir.children('bin').count { |n| File.executable?("bin/#{n}") }
puts "#{w.count} wrappers, #{executable} executable"
