# The directory with the modules is the first one.
import os

found = 0
for module in range(1, 13):
    for directory in (8, 1, 2, 3, 4, 5, 6, 7):
        try:
            os.close(os.open(f"path/{directory}/m{module}", os.O_RDONLY))
        except FileNotFoundError:
            continue
        found += 1
        break
print("found", found)
