#!/usr/bin/env ruby
# frozen_string_literal: true

# Resolves a list of wanted packages to the newest file in the pool.
require 'rubygems/version'

class Pool
  PATTERN = /\A(?<name>.+)_(?<version>[0-9.]+)\.pkg\z/.freeze

  def initialize(dir)
    @dir = dir
  end

  def versions(name)
    files.select { |f| f.start_with?("#{name}_") }.map do |file|
      m = PATTERN.match(file)
      [Gem::Version.new(m[:version]), file]
    end
  end

  def newest(name)
    versions(name).max_by(&:first)&.last
  end

  private

  def files
    @files ||= Dir.children(@dir).select { |f| f.end_with?('.pkg') }
  end
end

def report(found, missing)
  found.sort.each { |name, file| puts "#{name.ljust(20)} #{file}" }
  missing.sort.each { |name| puts "#{name.ljust(20)} not found" }
  puts "#{found.size} found, #{missing.size} missing"
end

def main
  pool = Pool.new(File.join(__dir__, 'pool'))
  found = {}
  missing = []
  File.foreach(File.join(__dir__, 'wanted.txt'), chomp: true) do |name|
    file = pool.newest(name)
    if file
      found[name] = file
    else
      missing << name
    end
  end
  report(found, missing)
end

main
