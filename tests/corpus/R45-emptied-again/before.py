"""Works in five steps, and writes down what each of them said."""
import os

scratch = os.open("scratch", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
for step in range(5):
    os.write(scratch, b"what it said " * 100)
    os.ftruncate(scratch, 0)
os.close(scratch)
print("5 steps")
