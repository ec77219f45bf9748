# Most lie in the second directory; one search goes to the end.
import os

found = 0
for module in [f"n{number}" for number in range(1, 13)] + ["m1"]:
    for directory in range(1, 9):
        try:
            os.close(os.open(f"path/{directory}/{module}", os.O_RDONLY))
        except FileNotFoundError:
            continue
        found += 1
        break
print("found", found)
