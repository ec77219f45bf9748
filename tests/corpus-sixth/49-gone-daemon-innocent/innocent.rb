# Stops the oven daemon and waits until it has gone. The daemon is nobody's child here (it was
# started in a session of its own and its starter has gone), so that wait does not serve, and
# /proc tells no watcher when a process goes: the entry can only be asked for.

DAEMON = 'trap "sleep 0.25; exit 0" TERM; echo ready; exec > /dev/null; while :; do sleep 0.02; done'.freeze

# Starts the daemon; it says "ready" on the pipe and then lets go of it.
def start_daemon
  lines = IO.popen(['sh', '-c', 'setsid sh -c "$0" 2> /dev/null < /dev/null & echo pid=$!', DAEMON], &:readlines)
  pid, state = lines.map(&:chomp).partition { |line| line.start_with?('pid=') }
  [pid.first.delete_prefix('pid=').to_i, state.first]
end

# A zombie has no program file any more, and counts as gone.
def alive?(pid)
  File.exist?("/proc/#{pid}/exe")
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def wait_gone(pid, limit)
  deadline = now + limit
  while alive?(pid)
    return false if now > deadline

    sleep 0.015
  end
  true
end

pid, state = start_daemon
puts "oven #{state}"
Process.kill(:TERM, pid)
unless wait_gone(pid, 3.0)
  Process.kill(:KILL, pid)
  abort 'oven did not stop by itself'
end
puts 'oven stopped'
