# A long listing, sorted by size.
class Entry
  attr_reader :name, :stat

  def initialize(dir, name)
    @name = name
    @stat = File.lstat(File.join(dir, name))
  end

  def kind
    case stat.ftype
    when 'directory' then 'd'
    when 'link' then 'l'
    else '-'
    end
  end

  def to_s
    format('%s%04o %6d %s %s', kind, stat.mode & 0o7777, stat.file? ? stat.size : 0,
           stat.mtime.utc.strftime('%F'), name)
  end
end

entries = Dir.children('docs').map { |n| Entry.new('docs', n) }
entries.sort_by! { |e| [e.stat.file? ? -e.stat.size : 0, e.name] }
entries.first(3).each { |e| puts e }
puts entries.find { |e| e.name == 'd3.txt' }
puts "#{entries.size} entries"
