# Something is made beside each directory between: it may be a link by now.
import os

names = set()
for number in range(1, 13):
    names.add(os.path.basename(os.path.realpath(f"gems/lib/{number}")))
    for beside in (f"x{number}", f"gems/x{number}", f"gems/lib/x{number}", f"../x{number}"):
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
print("names", len(names))
