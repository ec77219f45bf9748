"""List the members of a vault of archives."""
import os
import struct


class Archive:
    def __init__(self, path):
        self.f = open(path, "rb")
        magic, count = struct.unpack("4s4s", self.f.read(8))
        if magic != b"ARC1":
            raise ValueError(path)
        self.count = int(count)

    def payload(self):
        return self.f.read()

    def close(self):
        self.f.close()


members = size = 0
for name in sorted(os.listdir("vault")):
    a = Archive(os.path.join("vault", name))
    members += a.count
    size += len(a.payload())
    a.close()
print(members, "members,", size, "bytes")
