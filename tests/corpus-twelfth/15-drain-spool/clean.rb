# frozen_string_literal: true

# Drains an outgoing mail spool on shutdown: intake has stopped by now, so what
# lies there is all there will be.
require 'zlib'

class Spool
  attr_reader :sent, :bytes, :crc

  def initialize(dir)
    @dir = dir
    @sent = 0
    @bytes = 0
    @crc = 0
  end

  def pending
    Dir.children(@dir).select { |n| n.end_with?('.job') }.sort
  end

  def parse(text)
    head, body = text.split("\n\n", 2)
    fields = head.lines.to_h { |l| l.chomp.split(': ', 2) }
    [fields, body]
  end

  def deliver(name)
    path = File.join(@dir, name)
    fields, body = parse(File.read(path))
    @crc = Zlib.crc32("#{fields['to']}|#{body}", @crc)
    @bytes += fields['size'].to_i
    @sent += 1
    File.unlink(path)
  end

  def drain
    pending.each { |name| deliver(name) }
  end
end

def main(argv)
  if argv.size != 1
    warn 'usage: drain.rb SPOOL'
    return 2
  end
  spool = Spool.new(argv[0])
  spool.drain
  puts format('%d sent, %d bytes, crc %08x', spool.sent, spool.bytes, spool.crc)
  0
end

exit main(ARGV)
