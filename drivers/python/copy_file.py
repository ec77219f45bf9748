"""copy: copy a file to one that is not there before."""

import os
import shutil

PIECE_BYTES = 65536


class Way:
    """A way to copy; `copy` is the operation on the two paths."""

    def __init__(self, copy, can_sync, probe=None):
        self.copy = copy
        # Whether the copy is in hand before it is closed.
        self.can_sync = can_sync
        # Tries whether the file systems can do it.
        self.probe = probe


def copyfile(paths, job):
    shutil.copyfile(*paths)
    # The size as given: asking for it would be another call.
    job.bytes += job.size


def read_write(paths, job):
    source, target = paths
    size = 0
    with open(source, "rb") as reader, open(target, "wb") as writer:
        while piece := reader.read(PIECE_BYTES):
            writer.write(piece)
            size += len(piece)
        if job.fsync:
            writer.flush()
            os.fsync(writer.fileno())
    job.bytes += size


def sendfile(paths, job):
    source, target = paths
    size = 0
    with open(source, "rb", buffering=0) as reader, open(target, "wb", buffering=0) as writer:
        while sent := os.sendfile(writer.fileno(), reader.fileno(), size, MOST_BYTES):
            size += sent
        if job.fsync:
            os.fsync(writer.fileno())
    job.bytes += size


def copy_file_range(paths, job):
    source, target = paths
    size = 0
    with open(source, "rb", buffering=0) as reader, open(target, "wb", buffering=0) as writer:
        while copied := os.copy_file_range(reader.fileno(), writer.fileno(), MOST_BYTES):
            size += copied
        if job.fsync:
            os.fsync(writer.fileno())
    job.bytes += size


def probe_copy_file_range(source, target):
    """Raises what the file systems answer to a copy of one byte."""
    with open(source, "rb", buffering=0) as reader, open(target, "xb", buffering=0) as writer:
        os.copy_file_range(reader.fileno(), writer.fileno(), 1)


# As much as one call takes; it returns what there was.
MOST_BYTES = 1 << 30

COPYFILE = Way(copyfile, can_sync=False)
READ_WRITE = Way(read_write, can_sync=True)
SENDFILE = Way(sendfile, can_sync=True)
COPY_FILE_RANGE = Way(copy_file_range, can_sync=True, probe=probe_copy_file_range)
