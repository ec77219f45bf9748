# Writes down which version of each drawing is current: every name is a link with a way of its own.
class Drawing
  attr_reader :part, :version

  def initialize(link, root)
    # through current/partNN.txt and parts/partNN/latest: only the whole walk gives the version
    real = File.realpath(link).delete_prefix("#{root}/")
    @part, @version = real.match(%r{\Aparts/(part\d+)/(v\d+)/}).captures
    @path = real
  end

  def title
    File.foreach(@path, chomp: true).first
  end

  def consistent?
    title == "part #{part[/\d+/]} version #{version[/\d+/]}"
  end
end

root = File.realpath('.')
links = Dir.children('current').sort.map { |name| "current/#{name}" }
drawings = links.map { |link| Drawing.new(link, root) }

by_version = drawings.group_by(&:version)
by_version.keys.sort.each do |version|
  list = by_version[version]
  puts "#{version}: #{list.size} drawings, first #{list.first.part}, last #{list.last.part}"
end
wrong = drawings.reject(&:consistent?)
puts "#{drawings.size} drawings, #{wrong.size} inconsistent"
