"""null: the loop, the dispatch and the digest of a method, without its I/O.

What it holds is no hold on the files: `release` keeps it, since loading it again
would fill the cache that the caller wants to empty.
"""

import hashing
import lines
import search
from job import VerifyingJob
from loop import turns
from offsets import offsets

# Who finds the answer that null then knows.
SOLVERS = {"lines": lines.for_line_in_open_rb, "search": search.read_count, "hash": hashing.read_md5}


class NullTask:
    """Delivers bytes, or an answer, that are already in memory."""

    def __init__(self, plan):
        self.plan = plan
        self.paths = plan.paths or [""]
        self.held = []

    def take_up(self):
        for path in self.paths[len(self.held) :]:
            self.held.append(deliverer(path, self.plan))

    def release(self):
        pass

    def calls(self, first, count):
        functions = turns(self.held, first, count)
        if self.plan.operation == "read-block":
            return functions, iter(offsets(self.plan, first, count))
        return functions, turns(self.paths, first, count)


def deliverer(path, plan):
    """The function that stands for the operation on this file."""
    if plan.operation in SOLVERS:
        answer = VerifyingJob(plan)
        SOLVERS[plan.operation](path, answer)
        return lambda _, job: job.take_known(answer)
    if plan.operation == "read-whole":
        data = load(path, -1)
        return lambda _, job: job.take(data)
    if plan.operation == "open-read-close":
        data = load(path, min(plan.block, plan.size))
        return lambda _, job: job.take(data)
    if plan.operation == "read-block":
        # A slice of bytes is a copy, a slice of their view is not.
        view = memoryview(load(path, plan.size))
        return lambda offset, job: job.take(view[offset : offset + job.length])
    return lambda _, job: None


def load(path, length):
    with open(path, "rb") as file:
        return file.read(length)
