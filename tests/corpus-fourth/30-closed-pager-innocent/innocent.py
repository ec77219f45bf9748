"""Shows a long table through a pager; the pager here takes ten lines and quits."""
import signal
import subprocess
import sys

signal.signal(signal.SIGPIPE, signal.SIG_IGN)
pager = subprocess.Popen(["head", "-n", "10"], stdin=subprocess.PIPE)
shown_all = True
try:
    for n in range(100000):
        pager.stdin.write(b"%6d %s\n" % (n, b"x" * (n % 60)))
    pager.stdin.close()
except BrokenPipeError:
    shown_all = False
    try:
        pager.stdin.close()
    except BrokenPipeError:
        pass
pager.wait()
print("all shown" if shown_all else "the pager was quit", flush=True)
sys.exit(0)
