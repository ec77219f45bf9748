# Resolves cross references of a book to chapter numbers.
class Book
  def initialize(dir)
    @dir = dir
  end

  def files
    @files ||= Dir.glob("#{@dir}/*.adoc").sort
  end

  def chapter(ref)
    i = files.index { |f| f.end_with?("-#{ref}.adoc") }
    i && i + 1
  end

  def resolve
    resolved = 0
    sum = 0
    @missing = 0
    texts = files.map { |f| File.read(f) }
    texts.each do |text|
      text.scan(/<<(\w+)>>/) do |(ref)|
        n = chapter(ref)
        if n
          resolved += 1
          sum += n
        else
          @missing += 1
        end
      end
    end
    "#{resolved} references, sum #{sum}, #{@missing} missing"
  end
end

puts Book.new('book').resolve
