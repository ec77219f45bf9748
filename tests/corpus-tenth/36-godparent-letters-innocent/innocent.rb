# Adds the yearly letter of each godchild to the file of its godparent.
LETTER = <<~TEXT
  Dear %<godparent>s,
  this is %<child>s. I am %<age>d years old now and %<news>s.
TEXT

NEWS = {
  6 => 'go to school',
  7 => 'can read',
  8 => 'play the flute'
}.freeze

Pair = Struct.new(:godparent, :child, :age)

def pairs
  File.foreach('pairs.txt').map do |line|
    godparent, child, age = line.split
    Pair.new(godparent, child, age.to_i)
  end
end

def letter(pair)
  format(LETTER, godparent: pair.godparent, child: pair.child, age: pair.age,
                 news: NEWS.fetch(pair.age, 'am well'))
end

written = 0
bytes = 0
children = Hash.new(0)
pairs.each do |pair|
  text = letter(pair)
  File.open("letters/#{pair.godparent}.txt", 'a') { |f| f.write(text) }
  written += 1
  bytes += text.bytesize
  children[pair.child] += 1
end

puts "#{written} letters, #{bytes} bytes"
busy, n = children.max_by { |child, count| [count, child] }
puts "#{busy} wrote #{n} of them"
