require 'fileutils'

Entry = Struct.new(:boat, :crew, :handicap)

# The clubs put their entries into a box that anybody may write to.
def trusted?(path)
  return false if File.symlink?(path)
  return false unless File.file?(path)
  File.stat(path).owned? && File.size(path) < 4096
end

def load_entry(path)
  fields = File.read(path).scan(/^(\w+): (.+)$/).to_h
  Entry.new(fields.fetch('boat'), fields.fetch('crew').to_i, fields.fetch('handicap').to_f)
rescue KeyError
  nil
end

entries = []
skipped = []
Dir.children('dropbox').sort.each do |name|
  path = File.join('dropbox', name)
  unless trusted?(path)
    skipped << name
    next
  end
  entry = load_entry(path)
  if entry
    entries << entry
  else
    skipped << name
  end
end

FileUtils.mkdir_p('start')
File.open('start/list.txt', 'w') do |out|
  entries.sort_by { |e| [e.handicap, e.boat] }.each_with_index do |e, i|
    out.printf("%3d %-12s %2d %.2f\n", i + 1, e.boat, e.crew, e.handicap)
  end
end
puts "#{entries.size} boats, #{entries.sum(&:crew)} sailors"
puts "left out: #{skipped.join(' ')}"
