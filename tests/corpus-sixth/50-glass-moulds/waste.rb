# Packs the glass moulds' plans into one file with a table of contents.
require 'digest'

Item = Struct.new(:name, :size, :mtime, :offset)

class Packer
  attr_reader :items

  def initialize(path)
    @out = File.open(path, 'wb')
    @items = []
    @offset = 0
  end

  def add(path)
    File.open(path, 'rb') do |plan|
      size = File.size(path)
      mtime = File.mtime(path)
      data = plan.read(size)
      raise "#{path}: shorter than it was" if data.nil? || data.bytesize < size

      @out.write(data)
      @items << Item.new(File.basename(path, '.txt'), size, mtime, @offset)
      @offset += size
    end
  end

  def finish
    toc = @items.map { |i| "#{i.name} #{i.offset} #{i.size} #{i.mtime.to_i}\n" }.join
    @out.write(toc)
    @out.close
    @offset + toc.bytesize
  end
end

packer = Packer.new('moulds.pack')
plans = Dir.children('moulds').sort_by { |name| name[/\d+/].to_i }
plans.each { |name| packer.add("moulds/#{name}") }
total = packer.finish
puts "#{packer.items.size} plans, #{total} bytes"
newest = packer.items.max_by(&:mtime)
puts "newest #{newest.mtime.utc.strftime('%F')}, last at #{packer.items.last.offset}"
puts Digest::SHA256.file('moulds.pack').hexdigest[0, 16]
