#!/usr/bin/env python3
"""Plans a one-way synchronisation: what to copy, update and delete."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Entry:
    def __init__(self, path):
        self.path = path

    @property
    def is_dir(self):
        return os.path.isdir(self.path)

    @property
    def is_file(self):
        return os.path.isfile(self.path)

    @property
    def size(self):
        return os.path.getsize(self.path)

    @property
    def mtime(self):
        return int(os.path.getmtime(self.path))

    @property
    def mode(self):
        return os.stat(self.path).st_mode & 0o777


def scan(root):
    found = {}
    todo = [root]
    while todo:
        top = todo.pop()
        for name in os.listdir(top):
            entry = Entry(os.path.join(top, name))
            if entry.is_dir:
                todo.append(entry.path)
            elif entry.is_file:
                found[os.path.relpath(entry.path, root)] = entry
    return found


def needs_update(a, b):
    if a.size != b.size:
        return "size"
    if a.mtime > b.mtime:
        return "time"
    if a.mode != b.mode:
        return "mode"
    return None


def main():
    left = scan(os.path.join(HERE, "left"))
    right = scan(os.path.join(HERE, "right"))
    copied = updated = removed = volume = 0
    for rel in sorted(left):
        if rel not in right:
            print(f"copy   {rel}")
            copied += 1
            volume += left[rel].size
            continue
        why = needs_update(left[rel], right[rel])
        if why:
            print(f"update {rel} ({why})")
            updated += 1
            volume += left[rel].size
    for rel in sorted(set(right) - set(left)):
        print(f"delete {rel}")
        removed += 1
    print(f"{copied} to copy, {updated} to update, {removed} to delete, {volume} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
