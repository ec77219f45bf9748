# Collects the drawings of a font: each code point has one source file in some format.
class GlyphStore
  FORMATS = %w[glif sfd svg eps fig pbm].freeze

  def initialize(dir)
    @dir = dir
  end

  def source_of(code)
    FORMATS.each do |ext|
      file = File.join(@dir, format('u%04x.%s', code, ext))
      return [file, ext] if File.file?(file)
    end
    nil
  end
end

Glyph = Struct.new(:code, :format, :paths)

store = GlyphStore.new('glyphs')
glyphs = []
missing = []
(65...117).each do |code|
  file, ext = store.source_of(code)
  if file.nil?
    missing << code.chr
  else
    glyphs << Glyph.new(code, ext, File.readlines(file).count { |l| l.start_with?('path') })
  end
end

by_format = glyphs.group_by(&:format)
by_format.keys.sort.each do |ext|
  list = by_format[ext]
  puts format('%-5s %2d glyphs %3d paths', ext, list.size, list.sum(&:paths))
end
puts "missing: #{missing.join(' ')}"
puts "#{glyphs.size} glyphs, most paths: #{glyphs.max_by { |g| [g.paths, g.code] }.code.chr}"
