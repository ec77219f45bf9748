# Makes the page of the lullaby collection, with the cover of each song.
ENDINGS = %w[.webp .png .jpeg .jpg .gif].freeze
DIRECTORY = 'covers'.freeze
TYPES = { '.png' => 'drawn', '.jpg' => 'photo', '.jpeg' => 'photo', '.gif' => 'old scan', '.webp' => 'photo' }.freeze

Song = Struct.new(:id, :title, :verses)

def songs(path)
  File.foreach(path, chomp: true).map do |line|
    id, title, verses = line.split('|')
    Song.new(id, title, verses.to_i)
  end
end

def cover_of(song)
  ENDINGS.each do |ending|
    path = File.join(DIRECTORY, song.id + ending)
    return path if File.exist?(path)
  end
  nil
end

def row(song, cover)
  picture = cover ? %(<img src="#{cover}" alt="#{TYPES[File.extname(cover)]}">) : '<i>no cover</i>'
  %(<tr><td>#{picture}</td><td>#{song.title}</td><td>#{song.verses} verses</td></tr>)
end

all = songs('songs.txt')
kinds = Hash.new(0)
File.open('page.html', 'w') do |page|
  page.puts '<table>'
  all.each do |song|
    cover = cover_of(song)
    kinds[cover ? TYPES[File.extname(cover)] : 'none'] += 1
    page.puts row(song, cover)
  end
  page.puts '</table>'
end
puts "#{all.size} songs"
kinds.sort.each { |kind, count| puts "#{kind}: #{count}" }
