"""Takes one job from a pipe that others read, too: it may not take more than its line."""

import os
import stat

jobs = os.open("jobs", os.O_RDWR)
assert stat.S_ISFIFO(os.fstat(jobs).st_mode)
os.write(jobs, b"compile " + b"x" * 100 + b"\nanother's\n")
line = b""
while not line.endswith(b"\n"):
    line += os.read(jobs, 1)
os.close(jobs)
print("a job of", len(line), "bytes")
