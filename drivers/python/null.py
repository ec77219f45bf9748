"""null: the loop, the dispatch and the digest of a method, without its I/O.

What it holds is no hold on the files: `release` keeps it, since loading it again
would fill the cache that the caller wants to empty.
"""

import binascii
import os
from itertools import repeat

import hashing
import lines
import search
from config_load import numbers_in
from data import blocks, offsets
from job import VerifyingJob
from task import Steps, Task, turns
from write_task import read_back

# Who finds the answer that null then knows.
SOLVERS = {"lines": lines.for_line_in_open_rb, "search": search.read_count, "hash": hashing.read_md5}


class NullTask(Task):
    """Delivers bytes, or an answer, that are already in memory."""

    def __init__(self, plan, _, job):
        super().__init__(plan, None, job)
        # All configurations are one operation.
        self.paths = (plan.paths[:1] if plan.operation == "config-load" else plan.paths) or [""]
        self.blocks = blocks(plan) if plan.operation == "write-block" else None

    def take_up(self):
        for path in self.paths[len(self.held) :]:
            self.held.append(deliverer(path, self.plan))

    def steps(self, first, count):
        return Steps(self.paths, first, count, *self.phases(first, count))

    def phases(self, first, count):
        plan = self.plan
        functions = turns(self.held, first, count)
        if plan.operation == "read-block":
            return [(functions, iter(offsets(plan, first, count)))]
        if plan.operation == "write-block":
            return [(functions, zip(offsets(plan, first, count), turns(self.blocks, first, count)))]
        if plan.operation == "create":
            # As many as the methods have, the one that writes with its bytes.
            more = 0 if plan.close == "each" else (plan.sync == "fsync") + (plan.close == "all")
            return [(repeat(function, count), iter(range(count))) for function in [write_nothing] + more * [do_nothing]]
        return [(functions, turns(self.paths, first, count))]

    def verify(self, job):
        if self.plan.operation == "copy":
            read_back(self.paths[0], job)
        elif self.plan.operation in ("create", "truncate"):
            job.take(job.data)
            if self.plan.operation == "truncate":
                job.bytes = job.digest = 0
        else:
            super().verify(job)


def deliverer(path, plan):
    """The function that stands for the operation on this file."""
    operation = plan.operation
    if operation in SOLVERS or operation == "config-load":
        answer = VerifyingJob(plan)
        if operation == "config-load":
            for each in plan.paths:
                data = load(each, -1)
                answer.take_answer(len(data), numbers_in(data))
            answer.crc32 = binascii.crc32(b"%d" % answer.digest)
        else:
            SOLVERS[operation](path, answer)
        return lambda _, job: job.take_known(answer)
    if operation in ("read-whole", "reload", "open-read-close"):
        data = load(path, min(plan.block, plan.size) if operation == "open-read-close" else -1)
        return lambda _, job: job.take(data)
    if operation == "read-block":
        # A slice of bytes is a copy, a slice of their view is not.
        view = memoryview(load(path, plan.size))
        return lambda offset, job: job.take(view[offset : offset + job.length])
    if operation == "copy":
        size = os.stat(path).st_size
        return lambda _, job: job.take_answer(size, 0)
    if operation == "write-block":
        return lambda place, job: job.take(place[1])
    return do_nothing


def do_nothing(_, job):
    pass


def write_nothing(_, job):
    job.bytes += len(job.data)


def load(path, length):
    with open(path, "rb") as file:
        return file.read(length)
