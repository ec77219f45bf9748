"""Writes five notes. The file object owns its descriptor, and closes it."""
import os

for number in range(5):
    descriptor = os.open(f"note{number}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        file.write(b"a note\n")
print("5 notes")
