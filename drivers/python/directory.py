"""The directory that operations write in, and what stands there beforehand. All
of this happens while the clock is stopped.
"""

import os

from contents import pattern

PIECE_BYTES = 1 << 20


class Directory:
    """Gives each batch a new directory of its own: 0, 1, …"""

    def __init__(self, path):
        self.path = path
        self.made = 0
        self.data_file = None
        self.last = []

    def new(self):
        path = os.path.join(self.path, str(self.made))
        self.made += 1
        os.mkdir(path)
        return path

    def prepared(self):
        """The directory that whoever asked for the batch has made, with the files that it is to find."""
        path = os.path.join(self.path, "prepared")
        return path if os.path.isdir(path) else None

    def replace(self, names):
        """Paths in a new directory; what the batch before had of this kind is removed."""
        remove_files(self.last)
        folder = self.new()
        self.last = [os.path.join(folder, name) for name in names]
        return self.last

    def file_with_data(self, size):
        """The one file that all batches overwrite; made at the first call."""
        if self.data_file is None:
            path = os.path.join(self.new(), "f")
            make_data_file(path, size)
            self.data_file = path
        return self.data_file


def make_existing(paths, existing, size):
    """Makes the files that a batch finds; size is that of files with data."""
    if existing == "fresh":
        return
    data = pattern(size) if existing == "data" else b""
    for path in paths:
        with open(path, "xb") as file:
            file.write(data)
    if existing == "data":
        # Synced when all are written: the first sync does most of the work for the others.
        for path in paths:
            sync_file(path)


def make_data_file(path, size):
    """A file of this size, on the device."""
    piece = pattern(PIECE_BYTES)
    with open(path, "xb") as file:
        for start in range(0, size, PIECE_BYTES):
            # Whole repetitions of the text fit into a piece, so the seams are right.
            file.write(piece[: size - start])
    sync_file(path)


def sync_file(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def remove_files(paths):
    """Removes files of a batch that is over; those that it never made are no matter."""
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass


def read_back(path, job, offset=0, length=None):
    """Delivers what stands in a file."""
    with open(path, "rb") as file:
        file.seek(offset)
        position = 0
        while piece := file.read(PIECE_BYTES if length is None else length - position):
            job.take(piece, position)
            position += len(piece)
