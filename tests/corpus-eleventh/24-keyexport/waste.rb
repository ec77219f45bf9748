# frozen_string_literal: true

# keyexport: writes one private key file per account.
require "digest"

class Exporter
  MODE = 0o640

  attr_reader :written, :bytes

  def initialize(dir)
    @dir = dir
    @written = 0
    @bytes = 0
    Dir.mkdir(dir) unless Dir.exist?(dir)
  end

  def key_for(account)
    seed = "#{account[:name]}:#{account[:serial]}"
    4.times.map { |i| Digest::SHA256.hexdigest("#{seed}:#{i}") }.join("\n")
  end

  def export(account)
    path = File.join(@dir, "#{account[:name]}.key")
    text = "-----BEGIN KEY-----\n#{key_for(account)}\n-----END KEY-----\n"
    File.write(path, text)
    File.chmod(MODE, path)
    @written += 1
    @bytes += text.bytesize
  end
end

def accounts(path)
  File.foreach(path, chomp: true).filter_map do |line|
    name, serial = line.split(":")
    next if serial.nil?

    { name: name, serial: Integer(serial) }
  end
end

exporter = Exporter.new("keys")
accounts("accounts.txt").each { |a| exporter.export(a) }
puts "#{exporter.written} keys, #{exporter.bytes} bytes"
