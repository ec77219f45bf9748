"""truncate: cut a file that is there to fewer bytes. Each operation has a file of
its own of --size bytes; --write says how many are left.
"""

import os

from directory import read_back
from write_task import CreateSteps, CreateTask


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


class TruncateTask(CreateTask):
    """Finds its files as create finds those that exist, and delivers nothing."""

    needs_size = True
    existing = "data"

    @property
    def existing_bytes(self):
        return self.plan.size

    @property
    def each(self):
        return self.way

    def steps(self, first, count):
        # --close is create's.
        return CreateSteps(self, first, count)

    def read_back(self, steps, job):
        read_back(steps.paths[0], job)
        job.bytes = job.digest = 0

    @staticmethod
    def take_left(job):
        job.take(job.data)
        job.bytes = job.digest = 0
