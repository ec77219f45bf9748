"""renderwait: starts a renderer, waits for its result and sums it up."""
import json
import os
import subprocess
import sys
import threading

WORKER = r"""
import json, os, sys, time
out = sys.argv[1]
time.sleep(1.5)
frames = [{"no": i, "ms": (i * 31) % 17} for i in range(200)]
with open(out + ".part", "w") as f:
    json.dump({"frames": frames}, f)
os.rename(out + ".part", out)
"""


def start(out):
    if os.path.exists(out):
        os.remove(out)
    return subprocess.Popen([sys.executable, "-c", WORKER, out])


def wait_for(proc, path, timeout=8.0):
    timer = threading.Timer(timeout, proc.kill)
    timer.start()
    try:
        return proc.wait()
    finally:
        timer.cancel()


def summary(path):
    with open(path) as f:
        frames = json.load(f)["frames"]
    slow = [f["no"] for f in frames if f["ms"] > 14]
    return len(frames), sum(f["ms"] for f in frames), len(slow)


def main():
    out = "render.json"
    proc = start(out)
    code = wait_for(proc, out)
    if code:
        print("renderer failed", code, file=sys.stderr)
        return 1
    frames, ms, slow = summary(out)
    print(f"{frames} frames, {ms} ms, {slow} slow")
    return 0


if __name__ == "__main__":
    sys.exit(main())
