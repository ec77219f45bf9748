"""The magic number is the beginning of what was loaded."""
import os

total = 0
for number in range(12):
    file = os.open(f"record{number}", os.O_RDONLY)
    record = os.read(file, 4096)
    os.close(file)
    if record.startswith(b"RECD"):
        total += len(record)
print("bytes", total)
