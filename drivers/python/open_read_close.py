"""open-read-close: open, read the first bytes, close."""

import mmap
import os


def open_rb_read(path, job):
    with open(path, "rb") as file:
        job.take(file.read(job.length))


def open_rb_unbuffered_read(path, job):
    with open(path, "rb", buffering=0) as file:
        job.take(file.read(job.length))


def open_rb_readinto(path, job):
    buffer = job.next_buffer()
    with open(path, "rb") as file:
        count = file.readinto(buffer)
    job.take(buffer[:count])


def os_open_read(path, job):
    fd = os.open(path, os.O_RDONLY)
    try:
        job.take(os.read(fd, job.length))
    finally:
        os.close(fd)


def os_open_pread(path, job):
    fd = os.open(path, os.O_RDONLY)
    try:
        job.take(os.pread(fd, job.length, 0))
    finally:
        os.close(fd)


def map_start(path, job):
    with open(path, "rb") as file:
        if job.length == 0:
            return  # An empty mapping is an error.
        with mmap.mmap(file.fileno(), job.length, access=mmap.ACCESS_READ) as mapping:
            job.take(mapping)
