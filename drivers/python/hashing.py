"""hash: compute the MD5 of a file."""

import hashlib
import mmap


def file_digest(path, job):
    with open(path, "rb") as file:
        md5 = hashlib.file_digest(file, "md5")
    # The size as known: asking for it would be another call.
    job.take_hash(job.sizes[path], md5.digest())


def read_md5(path, job):
    md5 = hashlib.md5()
    size = 0
    with open(path, "rb") as file:
        while chunk := file.read(job.block):
            md5.update(chunk)
            size += len(chunk)
    job.take_hash(size, md5.digest())


def map_md5(path, job):
    with open(path, "rb") as file:
        try:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # "cannot mmap an empty file"
            job.take_hash(0, hashlib.md5().digest())
            return
        with mapping:
            job.take_hash(len(mapping), hashlib.md5(mapping).digest())
