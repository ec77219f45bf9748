require 'fileutils'

NOTES = %w[c d e f g a b].freeze

Psalm = Struct.new(:number, :tone, :verses)

def read_psalms(path)
  File.read(path).split("\n\n").map do |block|
    head, *verses = block.lines(chomp: true)
    number, tone = head.split(' tone ')
    Psalm.new(number.to_i, tone.to_i, verses)
  end
end

def score(psalm)
  final = NOTES[psalm.tone % NOTES.size]
  reciting = NOTES[(psalm.tone + 4) % NOTES.size]
  psalm.verses.map do |verse|
    syllables = verse.scan(/[aeiouy]+/i).size
    "#{final}4 " + "#{reciting}8 " * [syllables - 2, 1].max + "#{final}2"
  end
end

class Engraver
  attr_reader :bars

  def initialize
    @bars = 0
  end

  def engrave(psalm)
    lines = score(psalm)

    @bars += lines.size
    page = "Psalm #{psalm.number}\n" + psalm.verses.zip(lines).map { |v, l| "#{v}\n  #{l}\n" }.join
    File.write("pages/#{psalm.number}.txt", page)

  end


end

psalms = read_psalms('psalms.txt')
FileUtils.mkdir_p('pages')
engraver = Engraver.new
psalms.each { |psalm| engraver.engrave(psalm) }

puts "#{psalms.size} psalms, #{engraver.bars} verses set"
puts "longest: #{psalms.max_by { |p| [p.verses.size, -p.number] }.number}"
