# Corrects the galley proofs of a printer; a corrected galley replaces the old one only when safe.
CORRECTIONS = {
  'teh' => 'the',
  'adn' => 'and',
  'recieved' => 'received'
}.freeze

def correct(text)
  count = 0
  fixed = text.gsub(/\w+/) do |word|
    right = CORRECTIONS[word]
    count += 1 if right
    right || word
  end
  [fixed, count]
end

def sync(path)
  File.open(path, File::RDONLY) { |f| f.fsync }
end

def replace(path, text)
  tmp = "#{path}.tmp"
  File.write(tmp, text)
  sync(tmp)
  File.rename(tmp, path)
end

galleys = Dir.children('galleys').grep(/\.txt\z/).sort
marks = 0
words = 0
galleys.each do |name|
  path = "galleys/#{name}"
  fixed, count = correct(File.read(path))
  marks += count
  words += fixed.split.size
  replace(path, fixed) if count.positive?
end
sync('galleys')

puts "#{galleys.size} galleys, #{words} words"
puts "#{marks} corrections"
