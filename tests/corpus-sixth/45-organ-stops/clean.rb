# Stores the registrations that the organists have set, and tells each that it is safe.
require 'json'

class RegistrationStore
  def initialize(dir)
    @dir = dir
  end

  # Replaces the organ's registration as a whole; afterwards it survives a power cut.
  def commit(organ, stops)
    target = File.join(@dir, "#{organ}.reg")
    fresh = "#{target}.new"
    File.open(fresh, File::WRONLY | File::CREAT | File::TRUNC, 0o644) do |f|
      f.write(JSON.pretty_generate(organ: organ, stops: stops) + "\n")
      f.fsync
    end
    File.rename(fresh, target)
    sync_dir
    target
  end

  # A rename is on disk once its folder is.
  def sync_dir
    File.open(@dir, File::RDONLY) { |d| d.fsync }
  end

  def load(organ)
    JSON.parse(File.read(File.join(@dir, "#{organ}.reg")))
  end
end

STOPS = %w[Principal Flute Gamba Trumpet Mixture Oboe Bourdon].freeze

def choose(organ)
  STOPS.select.with_index { |stop, i| (organ.size + stop.size + i) % 3 != 0 }
end

store = RegistrationStore.new('organs')
%w[chapel cathedral village concert town].each do |organ|
  path = store.commit(organ, choose(organ))
  puts "#{path}: committed, safe to switch off"
end

total = %w[chapel cathedral village concert town].sum { |organ| store.load(organ)['stops'].size }
puts "#{total} stops drawn"
