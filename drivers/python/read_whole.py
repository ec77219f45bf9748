"""read-whole: open, read the whole file, close."""

import mmap
import os
import pathlib


def open_rb_read(path, job):
    with open(path, "rb") as file:
        job.take(file.read())


def open_r_read(path, job):
    # Every byte is a latin-1 character, and newline="" leaves line ends as they are.
    with open(path, "r", encoding="latin-1", newline="") as file:
        job.take_text(file.read())


def path_read_bytes(path, job):
    job.take(pathlib.Path(path).read_bytes())


def open_rb_unbuffered_readall(path, job):
    with open(path, "rb", buffering=0) as file:
        job.take(file.readall())


def open_rb_readinto(path, job):
    buffer = job.next_buffer()
    with open(path, "rb") as file:
        count = file.readinto(buffer)
    job.take(buffer[:count])


def os_open_read(path, job):
    fd = os.open(path, os.O_RDONLY)
    try:
        position = 0
        while chunk := os.read(fd, job.block):
            job.take(chunk, position)
            position += len(chunk)
    finally:
        os.close(fd)


def map_whole(path, job):
    with open(path, "rb") as file:
        try:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            return  # "cannot mmap an empty file"
        with mapping:
            job.take(mapping)


def map_copy(path, job):
    # Every byte is read: the buffer holds in the end what a read would have left there.
    buffer = job.next_buffer()
    with open(path, "rb") as file:
        try:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            return  # "cannot mmap an empty file"
        with mapping, memoryview(mapping) as view:
            size = len(view)
            buffer[:size] = view
    # Of files of different sizes it has the size of the largest.
    job.take(memoryview(buffer)[:size])
