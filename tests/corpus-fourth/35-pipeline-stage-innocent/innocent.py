"""Runs the stages of an analysis as programs that report their result on a descriptor of their own."""
import os
import subprocess

results = []
for stage in ("align", "call", "filter", "annotate"):
    r, w = os.pipe()
    child = subprocess.Popen(["sh", "-c", 'echo "result of $1: ${#1}" >&$2', "stage", stage, str(w)], pass_fds=[w])
    os.close(w)
    with os.fdopen(r) as f:
        results.append(f.read().strip())
    child.wait()
print("; ".join(results))
