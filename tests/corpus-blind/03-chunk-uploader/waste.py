#!/usr/bin/env python3
"""Prepares the parts of a multipart upload with their digests."""
import hashlib
import os

PART = 4096


class Source:
    def __init__(self, path):
        self.file = open(path, "rb", buffering=0)

    @property
    def size(self):
        return os.fstat(self.file.fileno()).st_size

    def part(self, number):
        left = self.size - number * PART
        return self.file.read(min(PART, left))

    def close(self):
        self.file.close()


def main():
    source = Source("backup.img")
    manifest = hashlib.sha256()
    number = 0
    while number * PART < source.size:
        digest = hashlib.md5(source.part(number)).hexdigest()
        manifest.update(digest.encode())
        number += 1
    size = source.size
    source.close()
    print("parts %d of %d bytes, manifest %s" % (number, size, manifest.hexdigest()[:16]))


main()
