"""coproc: asks a helper process one question at a time over pipes.

Frames are a 4-byte length and a body; the answer decides the next question,
so nothing can be read or sent ahead."""
import os
import struct
import subprocess
import sys

HELPER = r"""
import os, struct
def exact(n):
    b = b""
    while len(b) < n:
        c = os.read(0, n - len(b))
        if not c:
            raise SystemExit(0)
        b += c
    return b
while True:
    n, = struct.unpack(">I", exact(4))
    x = int(exact(n))
    y = str(x // 2 if x % 2 == 0 else 3 * x + 1).encode()
    os.write(1, struct.pack(">I", len(y)) + y)
"""


class Helper:
    def __init__(self):
        self.p = subprocess.Popen([sys.executable, "-c", HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.r = self.p.stdout.fileno()
        self.w = self.p.stdin.fileno()

    def exact(self, n):
        data = b""
        while len(data) < n:
            chunk = os.read(self.r, n - len(data))
            if not chunk:
                raise EOFError("helper is gone")
            data += chunk
        return data

    def ask(self, x):
        body = str(x).encode()
        os.write(self.w, struct.pack(">I", len(body)) + body)
        (n,) = struct.unpack(">I", self.exact(4))
        return int(self.exact(n))

    def close(self):
        self.p.stdin.close()
        self.p.wait()


def main():
    h = Helper()
    steps = 0
    longest = (0, 0)
    for start in range(2, 30):
        x, n = start, 0
        while x != 1:
            x = h.ask(x)
            n += 1
        steps += n
        longest = max(longest, (n, start))
    h.close()
    print(f"{steps} questions, longest {longest[0]} from {longest[1]}")


if __name__ == "__main__":
    main()
