"""Follows the trace that a simulation writes while it runs."""
import os
import select
import sys

r, w = os.pipe()
trace = os.open("run.trace", os.O_RDONLY | os.O_CREAT, 0o644)
pid = os.fork()
if pid == 0:
    os.close(r)
    out = os.open("run.trace", os.O_WRONLY | os.O_APPEND)
    for step in range(20):
        os.write(out, b"%06d %d\n" % (step, step * step))
        os.write(w, b".")
    os._exit(0)
os.close(w)
got = b""
while True:
    select.select([r], [], [])
    ended = not os.read(r, 64)
    while True:
        piece = os.read(trace, 4096)
        if not piece:
            break
        got += piece
    if ended:
        break
os.waitpid(pid, 0)
lines = got.decode().splitlines()
print(len(lines), "steps, last", lines[-1])
sys.exit(0 if len(lines) == 20 else 1)
