"""Checks the marks of all volumes and repairs those that were not closed properly."""
import os

repaired = []
for i in range(12):
    with open(os.path.join("volumes", f"v{i}"), "r+b", buffering=0) as v:
        head = v.read(12)
        if head[4:9] == b"dirty":
            v.seek(4)
            v.write(b"clean")
            os.fsync(v.fileno())
            repaired.append(i)
print("12 volumes checked, repaired", repaired)
