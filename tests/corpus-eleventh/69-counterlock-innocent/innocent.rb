# frozen_string_literal: true

# counterlock: two tellers draw ticket numbers from one shared counter file.
# Number by number they compete, so each draw is a transaction of its own.
COUNTER = "counter.txt"
DRAWS = 150

def draw(f)
  f.flock(File::LOCK_EX)
  number = f.pread(9, 0).to_i + 1
  f.pwrite(format("%08d\n", number), 0)
  number
ensure
  f.flock(File::LOCK_UN)
end

def teller(name, go, done)
  numbers = []
  File.open(COUNTER, "r+") do |f|
    DRAWS.times do
      go.sysread(1)
      numbers << draw(f)
      done.syswrite("x")
    end
  end
  File.write("tickets-#{name}.txt", numbers.join("\n") + "\n")
end

File.write(COUNTER, format("%08d\n", 0))
a_go, a_say = IO.pipe
b_go, b_say = IO.pipe

ann = fork { teller("ann", a_go, b_say) }
bob = fork { teller("bob", b_go, a_say) }
a_say.syswrite("x")
[ann, bob].each { |pid| Process.wait(pid) }

all = %w[ann bob].flat_map { |n| File.readlines("tickets-#{n}.txt", chomp: true).map(&:to_i) }
puts "#{all.size} tickets, #{all.uniq.size} different, highest #{all.max}"
