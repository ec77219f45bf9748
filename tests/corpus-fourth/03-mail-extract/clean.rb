# Extracts the subjects of all indexed messages; an index entry that points past the end is reported.
class Mailbox
  def initialize(path)
    @io = File.open(path, 'rb')
    @size = @io.size
  end

  def valid?(offset, length)
    offset + length <= @size
  end

  def subject(offset, length)
    @io.pread(length, offset)[/^Subject: (.*)$/, 1]
  end
end

box = Mailbox.new('archive.mbx')
subjects = []
damaged = 0
File.foreach('archive.idx') do |line|
  offset, length = line.split.map(&:to_i)
  if box.valid?(offset, length)
    subjects << box.subject(offset, length)
  else
    damaged += 1
  end
end
puts "#{subjects.size} subjects, #{damaged} damaged, last: #{subjects.last}"
