# Stale bytecode is replaced, and the next start finds it.
import os
import sys

sys.path.insert(0, os.path.join(os.getcwd(), "copied"))
total = 0
for number in range(12):
    total += __import__(f"module{number}").VALUE
print("sum", total)
