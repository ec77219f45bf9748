"""Opens forty parts, and reads on in each in turn."""
import os

parts = []
for number in range(1, 41):
    parts.append(os.open(f"data/{number}", os.O_RDONLY))
    os.read(parts[-1], 5)
print(sum(os.read(part, 64).startswith(b" ") for part in parts), "entries")
