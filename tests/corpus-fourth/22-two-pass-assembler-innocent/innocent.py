"""Expands the macros of assembler sources in place and checks that a second expansion changes nothing."""
import glob
import re


def read(path):
    with open(path) as f:
        return f.read()


def expand(text):
    return re.sub(r"@(\w+)", lambda m: str(sum(map(ord, m[1]))), text)


changed = 0
for path in sorted(glob.glob("src/*.s")):
    before = read(path)
    with open(path, "w") as f:
        f.write(expand(before))
    after = read(path)
    if expand(after) != after:
        raise SystemExit(path + " does not settle")
    changed += after != before
print(changed, "sources expanded")
