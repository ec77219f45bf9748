# Prints badge labels for the skaters whose record changed since the last run.

LAST_RUN = Integer(File.read('last-run').strip)

def changed?(path)
  File.mtime(path).to_i > LAST_RUN
end

def parse(path)
  record = {}
  File.foreach(path, chomp: true) do |line|
    key, value = line.split(': ', 2)
    record[key] = value
  end
  record
end

def label(record)
  level = Integer(record.fetch('level'))
  stars = '*' * level
  format('%-6s level %d %s', record.fetch('skater'), level, stars)
end

paths = Dir.children('badges').sort.map { |name| "badges/#{name}" }
fresh = paths.select { |path| changed?(path) }

fresh.each do |path|
  puts label(parse(path))
end

puts "#{fresh.size} of #{paths.size} records changed"
