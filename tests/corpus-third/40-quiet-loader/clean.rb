# Loads extensions without their warnings on the terminal.
EXT = []
SAVED = []

module Loader
  def self.silently
    saved = $stderr.dup
    $stderr.reopen('loader.log', 'a')
    yield
  ensure
    $stderr.flush
    $stderr.reopen(saved)
    saved.close
  end

  def self.load_all(dir)
    names = Dir.children(dir).sort_by { |n| n[/\d+/].to_i }
    names.each do |name|
      silently { load File.join(dir, name) }
    end
    names.size
  end
end

n = Loader.load_all('./ext')
warned = File.readlines('loader.log').size
puts "#{n} extensions, sum #{EXT.sum}, #{warned} warnings hidden"
