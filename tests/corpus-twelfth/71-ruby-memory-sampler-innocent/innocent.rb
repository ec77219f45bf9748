#!/usr/bin/env ruby
# frozen_string_literal: true

# Runs a job and samples its memory and its I/O counters after every step, as
# performance tests do; the kernel makes the files anew at each opening.
class Sampler
  Sample = Struct.new(:step, :rss_pages, :rchar)

  attr_reader :samples

  def initialize
    @samples = []
  end

  def take(step)
    rss = File.read('/proc/self/statm').split[1].to_i
    rchar = File.read('/proc/self/io')[/^rchar: (\d+)/, 1].to_i
    @samples << Sample.new(step, rss, rchar)
  end

  def growing?
    @samples.last.rss_pages > @samples.first.rss_pages
  end

  def reads_rise?
    @samples.each_cons(2).all? { |a, b| b.rchar > a.rchar }
  end
end

STEPS = 220

def job(kept, step)
  kept << ('%05d' % step * 4000)
  kept.sum(&:size)
end

def main
  sampler = Sampler.new
  kept = []
  size = 0
  STEPS.times do |step|
    size = job(kept, step)
    sampler.take(step)
  end
  puts "#{sampler.samples.size} samples, #{size} bytes kept"
  puts "memory grew: #{sampler.growing?}, read counter rose: #{sampler.reads_rise?}"
end

main
