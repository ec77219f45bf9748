#!/usr/bin/env python3
"""A host that runs its plugins in separate workers."""
import subprocess
import sys

WORKER = """
import importlib, sys
sys.dont_write_bytecode = False
sys.path.insert(0, "plugins")
n = int(sys.argv[1])
print(sum(importlib.import_module("p%d" % i).run(n) for i in range(15)))
"""


def work(n):
    out = subprocess.run([sys.executable, "-c", WORKER, str(n)], check=True, capture_output=True, text=True)
    return int(out.stdout)


def main():
    results = [work(n) for n in (100, 200, 300, 400)]
    print("results", *results)


main()
