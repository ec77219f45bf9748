# Runs the mixing program of a bakery and keeps an eye on its memory, as the old computer has little.
class Watch
  attr_reader :peak, :samples

  def initialize(pid)
    @file = "/proc/#{pid}/statm"
    @peak = 0
    @samples = 0
  end

  def look
    pages = File.read(@file).split[1].to_i
    @samples += 1
    @peak = [@peak, pages * 4].max
  rescue Errno::ENOENT, Errno::ESRCH
    nil
  end
end

def run(command, out)
  pid = Process.spawn(*command, out: out)
  watch = Watch.new(pid)
  until Process.wait(pid, Process::WNOHANG)
    watch.look
    sleep 0.01
  end
  [watch, $?]
end

watch, status = run(['ruby', '--disable-gems', 'knead.rb'], 'dough.txt')
abort 'the mixer failed' unless status.success?

grams = File.read('dough.txt').to_i
puts "#{grams / 1000} kg of dough"
puts watch.samples > 5 ? 'memory watched' : 'memory watched at times'
puts watch.peak < 400_000 ? 'memory enough' : 'memory short'
