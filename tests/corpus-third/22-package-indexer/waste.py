"""Write a package index like apt-ftparchive's."""
import hashlib
import os


def checksum(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def parse(head):
    fields = {}
    for line in head.decode().splitlines():
        if not line:
            break
        k, _, v = line.partition(": ")
        fields[k] = v
    return fields


def entry(path):
    digest = checksum(path)
    with open(path, "rb") as f:
        fields = parse(f.read().split(b"\n\n")[0])
    fields["SHA256"] = digest
    return fields


entries = [entry(os.path.join("pool", n)) for n in sorted(os.listdir("pool"))]
with open("Packages", "w") as out:
    for e in entries:
        out.write("".join("%s: %s\n" % kv for kv in e.items()) + "\n")
print(len(entries), entries[0]["Version"], entries[0]["SHA256"][:12])
