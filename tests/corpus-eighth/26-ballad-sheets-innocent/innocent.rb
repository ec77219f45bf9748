# Prepares old ballad sheets for print: long s, verse numbers, capitals.

SAFE = %w[from of].freeze

def modern_word(word)
  return word if SAFE.include?(word)

  word.sub(/\Af/, 's').sub(/\Aif/, 'is')
end

def modern_line(line, verse)
  text = line.gsub(/[a-z]+/) { |word| modern_word(word) }
  if text =~ /\A[a-z]\) /
    "#{verse}. #{text[3..]}"
  else
    text
  end
end

def modernise(text)
  verse = 0
  text.lines.map do |line|
    verse += 1 if line =~ /\A[a-z]\) /
    modern_line(line, verse)
  end.join
end

Dir.mkdir('modern')
changed = 0
words = Hash.new(0)
names = Dir.children('sheets').sort
names.each do |name|
  old = File.binread("sheets/#{name}")
  new = modernise(old)
  changed += old.each_byte.zip(new.each_byte).count { |a, b| a != b }
  new.scan(/\bs[a-z]+/) { |word| words[word] += 1 }
  File.binwrite("modern/#{name}", new)
end

words.sort.first(4).each { |word, n| puts "#{word}: #{n}" }
puts "#{names.size} ballads, #{changed > 0 ? 'changed' : 'unchanged'}"
