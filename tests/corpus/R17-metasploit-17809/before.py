# The directory with the modules is the last one.
import os

found = 0
for module in range(1, 13):
    for directory in range(1, 9):
        try:
            os.close(os.open(f"path/{directory}/m{module}", os.O_RDONLY))
        except FileNotFoundError:
            continue
        found += 1
        break
print("found", found)
