# Renders a page from ninety partials; a tenant or a theme may have its own of each.
class ViewPath
  DIRS = %w[views/tenant views/theme views/mobile views/default].freeze

  def find(name)
    DIRS.each do |dir|
      candidate = File.join(dir, "_#{name}.html.erb")
      return candidate if File.file?(candidate)
    end
    raise "no partial #{name}"
  end
end

view_path = ViewPath.new
page = (1..90).map do |i|
  File.read(view_path.find("part#{i}")).gsub(/<%= (\d+) \* (\d+) %>/) { ($1.to_i * $2.to_i).to_s }
end
puts page.join.length, page[2], page[89]
