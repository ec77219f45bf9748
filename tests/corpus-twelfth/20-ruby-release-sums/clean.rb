#!/usr/bin/env ruby
# frozen_string_literal: true

# Writes SHA256SUMS for a release: one section per directory, names relative to
# their directory, as `sha256sum -c` wants them.
require 'digest'
require 'fileutils'

DIST = File.join(__dir__, 'dist')
OUT  = File.join(__dir__, 'out')

Item = Struct.new(:dir, :name)

def collect(root)
  items = Dir.glob('**/*.dat', base: root).map do |path|
    Item.new(File.join(root, File.dirname(path)), File.basename(path))
  end
  items.sort_by { |i| [i.dir, i.name] }
end

def entry_for(item)
  body = File.binread(File.join(item.dir, item.name))
  format('%s %7d  %s', Digest::SHA256.hexdigest(body), body.bytesize, item.name)
end

def relative(dir)
  dir.delete_prefix("#{DIST}/")
end

def main
  items = collect(DIST)
  lines = []
  items.group_by(&:dir).each do |dir, members|
    lines << "# #{relative(dir)} (#{members.size} files)"
    members.each { |item| lines << entry_for(item) }
    lines << ''
  end
  FileUtils.mkdir_p(OUT)
  text = lines.join("\n")
  File.write(File.join(OUT, 'SHA256SUMS'), text)
  puts "#{items.size} files, sums #{Digest::MD5.hexdigest(text)}"
end

main
