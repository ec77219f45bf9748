"""Runs the renderer and picks up its frame."""
import os
import subprocess
import sys
import time

RENDERER = """
import os, time
time.sleep(0.35)
with open("frame.tmp", "w") as f:
    f.write("P2 4 4 255 " + "7 " * 16)
os.rename("frame.tmp", "frame.out")
"""


def render():
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", RENDERER])
    deadline = time.monotonic() + 20
    while not os.path.exists("frame.out"):
        if time.monotonic() > deadline:
            raise TimeoutError("renderer")
        time.sleep(0.004)
    child.wait()
    with open("frame.out") as f:
        return f.read().split()


frame = render()
print(frame[0], frame[1] + "x" + frame[2], len(frame) - 4, "pixels")
