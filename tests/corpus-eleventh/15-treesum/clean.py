"""treesum: checksum list of a tree, with progress in per cent."""
import hashlib
import os
import sys


def walk_files(root):
    for dirpath, dirnames, filenames in os.walk(root):
        dirnames.sort()
        for name in sorted(filenames):
            path = os.path.join(dirpath, name)
            yield path, os.stat(path).st_size


def digest(path):
    h = hashlib.sha256()
    with open(path, "rb", buffering=0) as f:
        h.update(f.read())
    return h.hexdigest()


def report(done, total, last):
    pct = done * 100 // max(total, 1)
    if pct // 10 != last // 10:
        print(f"{pct // 10 * 10}%")
    return pct


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "tree"
    found = list(walk_files(root))
    total = sum(size for _, size in found)
    print(f"{len(found)} files, {total} bytes")
    done = last = 0
    out = []
    for path, size in found:
        out.append(f"{digest(path)}  {path}\n")
        done += size
        last = report(done, total, last)
    with open("SHA256SUMS", "w") as f:
        f.writelines(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
