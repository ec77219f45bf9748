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
from contents import blocks
from directory import read_back
from job import VerifyingJob
from loop import run_phases, turns
from methods import WRITERS
from offsets import offsets
from steps import Steps

# Who finds the answer that null then knows.
SOLVERS = {"lines": lines.for_line_in_open_rb, "search": search.read_count, "hash": hashing.read_md5}


class NullTask:
    """Delivers bytes, or an answer, that are already in memory."""

    def __init__(self, plan):
        self.plan = plan
        self.paths = plan.paths or [""]
        self.held = []
        self.blocks = blocks(plan) if plan.operation == "write-block" else None

    def take_up(self):
        if self.plan.operation == "config-load":
            if not self.held:
                self.held.append(config_deliverer(self.plan))
            return
        for path in self.paths[len(self.held) :]:
            self.held.append(deliverer(path, self.plan))

    def release(self):
        pass

    def steps(self, first, count):
        return Steps(self.paths, first, count, self.phases(first, count))

    def phases(self, first, count):
        plan = self.plan
        functions = turns(self.held, first, count)
        if plan.operation == "read-block":
            return [(functions, iter(offsets(plan, first, count)))]
        if plan.operation == "write-block":
            places = zip(offsets(plan, first, count), turns(self.blocks, first, count))
            return [(functions, places)]
        if plan.operation == "create":
            return [(repeat(function, count), iter(range(count))) for function in create_phases(plan)]
        return [(functions, turns(self.paths, first, count))]

    def verify(self, job):
        writer = WRITERS.get(self.plan.operation)
        if writer and writer.leaves_data:
            writer.take_left(job)
        elif self.plan.operation == "copy":
            read_back(self.paths[0], job)
        else:
            with self.steps(0, 1) as steps:
                run_phases(steps, job)

    def path_of(self, number):
        return self.paths[number % len(self.paths)]


def deliverer(path, plan):
    """The function that stands for the operation on this file."""
    if plan.operation in SOLVERS:
        answer = VerifyingJob(plan)
        SOLVERS[plan.operation](path, answer)
        return lambda _, job: job.take_known(answer)
    if plan.operation in ("read-whole", "reload"):
        data = load(path, -1)
        return lambda _, job: job.take(data)
    if plan.operation == "open-read-close":
        data = load(path, min(plan.block, plan.size))
        return lambda _, job: job.take(data)
    if plan.operation == "read-block":
        # A slice of bytes is a copy, a slice of their view is not.
        view = memoryview(load(path, plan.size))
        return lambda offset, job: job.take(view[offset : offset + job.length])
    if plan.operation == "copy":
        size = os.stat(path).st_size
        return lambda _, job: job.take_answer(size, 0)
    if plan.operation == "write-block":
        return lambda place, job: job.take(place[1])
    return lambda _, job: None


def config_deliverer(plan):
    answer = VerifyingJob(plan)
    for path in plan.paths:
        data = load(path, -1)
        answer.take_answer(len(data), numbers_in(data))
    answer.crc32 = binascii.crc32(b"%d" % answer.digest)
    return lambda _, job: job.take_known(answer)


def create_phases(plan):
    """As many as the methods have, the one that writes with its bytes."""
    if plan.close == "each":
        return [write_nothing]
    phases = [write_nothing]
    if plan.sync == "fsync":
        phases.append(do_nothing)
    if plan.close == "all":
        phases.append(do_nothing)
    return phases


def do_nothing(_, job):
    pass


def write_nothing(_, job):
    job.bytes += len(job.data)


def load(path, length):
    with open(path, "rb") as file:
        return file.read(length)
