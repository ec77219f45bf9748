# frozen_string_literal: true

# Follows a log that another process writes and rotates, until the end mark.
# No bytes may be lost over a rotation, so the old file is read out first.
require 'zlib'

LOG = 'live/app.log'

def writer
  log = File.open(LOG, 'a')
  log.sync = true
  1.upto(260) do |i|
    if i == 131
      log.close
      File.rename(LOG, "#{LOG}.1")
      log = File.open(LOG, 'a')
      log.sync = true
    end
    log.write("#{i} event #{i * 7 % 97}\n")
    sleep 0.004
  end
  log.write("END\n")
  log.close
end

class Follower
  attr_reader :lines, :crc, :rotations

  def initialize(path)
    @path = path
    @io = File.open(path)
    @rest = +''
    @lines = 0
    @crc = 0
    @rotations = 0
    @done = false
  end

  def take
    loop do
      @rest << @io.sysread(65_536)
    end
  rescue EOFError
    while (line = @rest.slice!(/\A.*\n/))
      line == "END\n" ? @done = true : count(line)
    end
  end

  def count(line)
    @lines += 1
    @crc = Zlib.crc32(line, @crc)
  end

  def rotated?
    File.stat(@path).ino != @io.stat.ino
  rescue Errno::ENOENT
    false
  end

  def run
    until @done
      moved = rotated?
      take
      if moved
        @io.close
        @io = File.open(@path)
        @rotations += 1
      else
        sleep 0.003
      end
    end
  end
end

Dir.mkdir('live') unless Dir.exist?('live')
Dir.glob('live/*').each { |f| File.unlink(f) }
File.write(LOG, '')
pid = fork { writer }
follower = Follower.new(LOG)
follower.run
Process.wait(pid)
puts format('%d lines, crc %08x, %d rotation', follower.lines, follower.crc, follower.rotations)
