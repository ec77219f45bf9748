"""create: create a file, write into it, close it.

Each class is a way to do it: `each` does it all for one file; the other
functions are its parts, for files that are closed together at the end or after
the clock.
"""

import os
import pathlib

from failure import short_write


class OpenWb:
    # Whether the file is in hand until it is closed.
    holds = True
    exclusive = False

    @staticmethod
    def each(path, job):
        with open(path, "wb") as file:
            file.write(job.data)
            if job.fsync:
                file.flush()
                os.fsync(file.fileno())
        job.bytes += len(job.data)

    @staticmethod
    def open(path):
        return open(path, "wb")

    @staticmethod
    def write(file, job):
        file.write(job.data)
        job.bytes += len(job.data)

    @staticmethod
    def write_through(file, job):
        """Nothing is left in the buffer for a close that the clock does not see."""
        file.write(job.data)
        file.flush()
        job.bytes += len(job.data)

    @staticmethod
    def sync(file):
        file.flush()
        os.fsync(file.fileno())

    @staticmethod
    def close(file):
        file.close()


class OpenXb(OpenWb):
    exclusive = True

    @staticmethod
    def each(path, job):
        with open(path, "xb") as file:
            file.write(job.data)
            if job.fsync:
                file.flush()
                os.fsync(file.fileno())
        job.bytes += len(job.data)

    @staticmethod
    def open(path):
        return open(path, "xb")


class OsOpen:
    holds = True
    exclusive = False

    @staticmethod
    def each(path, job):
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            if job.data:
                OsOpen.write(fd, job)
            if job.fsync:
                os.fsync(fd)
        finally:
            os.close(fd)

    @staticmethod
    def open(path):
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)

    @staticmethod
    def write(fd, job):
        if os.write(fd, job.data) < len(job.data):
            raise short_write()
        job.bytes += len(job.data)

    write_through = write
    sync = os.fsync
    close = os.close


class PathWriteBytes:
    holds = False
    exclusive = False

    @staticmethod
    def each(path, job):
        pathlib.Path(path).write_bytes(job.data)
        job.bytes += len(job.data)
