# The bytecode does not depend on times.
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.getcwd(), "hashed"))
total = 0
for number in range(12):
    total += __import__(f"module{number}").VALUE
print("sum", total)
