"""write-block: write one block into a file that stays open.

Each class is a way to hold the file during a batch; `write` is the operation,
`finish` what the clock sees of it after the last.
"""

import mmap
import os

from failure import short_write


class Pwrite:
    in_order = False
    truncates = False

    def __init__(self, path, job, _):
        self.fd = os.open(path, os.O_WRONLY)
        self.finish = self.sync if job.fsync else None

    def write(self, place, job):
        offset, block = place
        if os.pwrite(self.fd, block, offset) < len(block):
            raise short_write()
        job.take(block)

    def sync(self):
        os.fsync(self.fd)

    def close(self):
        os.close(self.fd)


class UnbufferedSeekAndWrite:
    in_order = False
    truncates = False

    def __init__(self, path, job, _):
        self.file = open(path, "r+b", buffering=0)
        self.close = self.file.close
        self.finish = self.sync if job.fsync else None

    def write(self, place, job):
        offset, block = place
        self.file.seek(offset)
        if self.file.write(block) < len(block):
            raise short_write()
        job.take(block)

    def sync(self):
        os.fsync(self.file.fileno())


class BufferedWrite:
    in_order = True
    truncates = True

    def __init__(self, path, job, start):
        self.file = open(path, "wb")
        self.close = self.file.close
        # A batch goes on where the one before it, on another file, stopped.
        self.file.seek(start)
        self.position = start
        # Without it the last blocks would still be in the buffer.
        self.finish = self.sync if job.fsync else self.file.flush

    def write(self, place, job):
        offset, block = place
        if offset != self.position:
            self.file.seek(offset)  # The order has come round to the file's start.
        self.file.write(block)
        self.position = offset + len(block)
        job.take(block)

    def sync(self):
        self.file.flush()
        os.fsync(self.file.fileno())


class Mapping:
    in_order = False
    truncates = False

    def __init__(self, path, job, _):
        self.file = open(path, "r+b", buffering=0)
        # A mapping cannot make a file longer.
        self.file.truncate(job.size)
        self.mapping = mmap.mmap(self.file.fileno(), job.size, access=mmap.ACCESS_WRITE)
        self.finish = self.sync if job.fsync else None

    def write(self, place, job):
        offset, block = place
        self.mapping[offset : offset + len(block)] = block
        job.take(block)

    def sync(self):
        os.fsync(self.file.fileno())

    def close(self):
        self.mapping.close()
        self.file.close()
