"""truncate: cut a file that is there to fewer bytes. Each operation has a file of
its own of --size bytes; --write says how many are left.
"""

import os


def os_truncate(path, job):
    os.truncate(path, len(job.data))


def os_open_ftruncate(path, job):
    fd = os.open(path, os.O_WRONLY)
    try:
        os.ftruncate(fd, len(job.data))
    finally:
        os.close(fd)


def open_truncate(path, job):
    with open(path, "r+b") as file:
        file.truncate(len(job.data))


def open_unbuffered_truncate(path, job):
    with open(path, "r+b", buffering=0) as file:
        file.truncate(len(job.data))
