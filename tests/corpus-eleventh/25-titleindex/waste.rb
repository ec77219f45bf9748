# frozen_string_literal: true

# titleindex: lists the titles of notes; the title is the first line.
class Note
  attr_reader :path, :title

  def initialize(path)
    @path = path
    @title = read_title
  end

  def untitled?
    title.empty?
  end

  private

  def read_title
    first = File.readlines(path, chomp: true).first
    return "" if first.nil?

    first.sub(/\A#+\s*/, "").strip
  end
end

class TitleIndex
  def initialize(dir)
    @dir = dir
  end

  def notes
    @notes ||= Dir.children(@dir).sort.map { |n| Note.new(File.join(@dir, n)) }
  end

  def write(to)
    File.open(to, "w") do |f|
      notes.each do |n|
        next if n.untitled?

        f.puts "#{File.basename(n.path)}\t#{n.title}"
      end
    end
  end

  def summary
    named = notes.reject(&:untitled?)
    longest = named.max_by { |n| [n.title.length, n.path] }
    "#{notes.size} notes, #{named.size} titled, longest #{longest.title.length}"
  end
end

index = TitleIndex.new("notes")
index.write("titles.tsv")
puts index.summary
