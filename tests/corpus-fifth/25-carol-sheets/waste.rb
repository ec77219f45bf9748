# Makes the song sheets of a carol service: title, key, number of pages, longest line.
class Sheet
  LINES_PER_PAGE = 48

  attr_reader :title, :key, :pages

  def initialize(path)
    File.open(path) do |f|
      @text = f.read
      # the pages are laid out next, have the file at hand
      f.advise(:willneed)
      f.advise(:sequential)
      layout
    end
  end

  def layout
    head, body = @text.lines(chomp: true).partition { |l| l.match?(/\A(title|key): /) }
    head.each do |line|
      name, value = line.split(': ', 2)
      name == 'title' ? @title = value : @key = value
    end
    @pages = body.each_slice(LINES_PER_PAGE).map { |page| page.map(&:length).max }
  end
end

sheets = Dir.children('carols').sort.map { |name| Sheet.new("carols/#{name}") }

by_key = sheets.group_by(&:key)
by_key.keys.sort.each do |key|
  puts "#{key}: #{by_key[key].size} carols, #{by_key[key].sum { |s| s.pages.size }} pages"
end
longest = sheets.max_by { |s| s.pages.size }
puts "longest: #{longest.title} with #{longest.pages.size} pages"
puts "#{sheets.size} sheets"
