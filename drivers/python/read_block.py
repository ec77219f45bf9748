"""read-block: read one block of a file that stays open, or stays mapped.

Each class is a way to hold a file; `read` is the operation.
"""

import mmap
import os


class SeekAndRead:
    def __init__(self, path, _):
        self.file = open(path, "rb")
        self.close = self.file.close

    def read(self, offset, job):
        self.file.seek(offset)
        data = self.file.read(job.length)
        if len(data) < job.length:
            raise EOFError
        job.take(data)


class UnbufferedSeekAndRead(SeekAndRead):
    def __init__(self, path, _):
        self.file = open(path, "rb", buffering=0)
        self.close = self.file.close


class Descriptor:
    def __init__(self, path, _):
        self.fd = os.open(path, os.O_RDONLY)

    def close(self):
        os.close(self.fd)


class Pread(Descriptor):
    def read(self, offset, job):
        data = os.pread(self.fd, job.length, offset)
        if len(data) < job.length:
            raise EOFError
        job.take(data)


class PreadRandom(Pread):
    def __init__(self, path, job):
        super().__init__(path, job)
        os.posix_fadvise(self.fd, 0, 0, os.POSIX_FADV_RANDOM)


class Preadv(Descriptor):
    def read(self, offset, job):
        buffer = job.next_buffer()
        if os.preadv(self.fd, [buffer], offset) < job.length:
            raise EOFError
        job.take(buffer)


class Mapping:
    def __init__(self, path, job):
        with open(path, "rb") as file:
            self.mapping = mmap.mmap(file.fileno(), job.size, access=mmap.ACCESS_READ)
        # A slice of a mapping is a copy, a slice of its view is not.
        self.view = memoryview(self.mapping)

    def read(self, offset, job):
        job.take(self.view[offset : offset + job.length])

    def close(self):
        self.view.release()
        self.mapping.close()


class CopiedMapping(Mapping):
    def read(self, offset, job):
        buffer = job.next_buffer()
        buffer[:] = self.view[offset : offset + job.length]
        job.take(buffer)


class RandomMapping(Mapping):
    def __init__(self, path, job):
        super().__init__(path, job)
        self.mapping.madvise(mmap.MADV_RANDOM)
