"""Checksums of the parts of a disk image, the last one may be short."""
import os
import zlib

PART = 1024


class Image:
    def __init__(self, path):
        self.path = path
        self.fd = os.open(path, os.O_RDONLY)
        self._size = os.fstat(self.fd).st_size

    @property
    def size(self):
        return self._size

    def parts(self):
        n = 0
        while n * PART < self.size:
            data = os.pread(self.fd, PART, n * PART)
            yield n, zlib.crc32(data), len(data)
            n += 1

    def close(self):
        os.close(self.fd)


img = Image("disk.img")
sums = list(img.parts())
img.close()
print(len(sums), "parts, last", sums[-1][2], "bytes %08x" % sums[-1][1])
