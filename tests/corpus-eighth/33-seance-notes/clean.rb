# Collects the notes that the sitters of a seance have left on the shared table.
GUESTS = %w[anna bruno clara dora emil frida georg hedwig ivo jana karl lena moritz nora].freeze
LIMIT = 4000

Note = Struct.new(:guest, :lines, :knocks)

def read_note(path)
  File.open(path, File::RDONLY | File::NOFOLLOW | File::NONBLOCK) do |f|
    f.stat.file? ? f.read(LIMIT) : nil
  end
rescue Errno::ELOOP, Errno::ENOENT
  nil
end

def parse(guest, text)
  lines = text.lines.map(&:strip).reject(&:empty?)
  knocks = lines.count { |l| l.include?('moved') || l.include?('knock') }
  Note.new(guest, lines, knocks)
end

notes = []
refused = []

GUESTS.each do |guest|
  text = read_note("table/#{guest}.note")
  if text.nil?
    refused << guest
  else
    notes << parse(guest, text)
  end
end

File.write('minutes.txt', notes.map { |n| "#{n.guest}: #{n.lines.join(' / ')}" }.join("\n") + "\n")
notes.sort_by { |n| [-n.lines.size, n.guest] }.first(5).each do |n|
  puts "#{n.guest}: #{n.lines.size} lines, #{n.knocks} knocks"
end
puts "#{notes.size} notes, refused: #{refused.join(', ')}"
