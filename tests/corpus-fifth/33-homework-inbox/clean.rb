#!/usr/bin/env ruby
# Marks the homework that pupils drop into the inbox (a sticky directory open to the whole school).
KEY = %w[42 17 3].freeze
INBOX = 'inbox'
LIMIT = 4096

Result = Struct.new(:pupil, :right, :of)

# Links could lead the marker to files the pupils may not read: none is followed, and
# what is judged is the file that was opened.
def take(path)
  File.open(path, File::RDONLY | File::NOFOLLOW | File::NONBLOCK) do |io|
    st = io.stat
    return nil unless st.file? && st.size <= LIMIT && st.nlink == 1
    io.readlines(chomp: true)
  end
rescue Errno::ELOOP
  nil
end

def mark(lines)
  pupil = lines.grep(/\Aname /).first.to_s.delete_prefix('name ')
  answers = lines.grep(/\Aanswer /).map { |l| l.delete_prefix('answer ') }
  right = answers.zip(KEY).count { |a, k| a == k }
  Result.new(pupil, right, KEY.size)
end

results = []
refused = []
Dir.children(INBOX).sort.each do |name|
  next unless name.end_with?('.txt')
  path = File.join(INBOX, name)
  if (lines = take(path))
    results << mark(lines)
  else
    refused << name
  end
end

File.open('marked/class.txt', 'w') do |out|
  results.each { |r| out.puts "#{r.pupil};#{r.right};#{r.of}" }
end
results.each { |r| puts "#{r.pupil}: #{r.right} of #{r.of}" }
puts "refused: #{refused.join(', ')}"
