"""Tasks: a method bound to the files of a run, ready to be repeated. `null` has
its own, in null.py.

A task gives the loop two iterators, of functions and of their first argument, so
that nothing is looked up or counted while the clock runs.
"""

import os
from itertools import repeat

from loop import turns
from null import NullTask
from offsets import offsets


def new_task(plan, method, job):
    if method.name == "null":
        return NullTask(plan)
    function = method.functions[plan.operation]
    if plan.operation == "read-block":
        return BlockTask(plan, function, job)
    return PathTask(plan.paths, function, method.creates)


class PathTask:
    """An operation on the path of a file."""

    def __init__(self, paths, function, creates):
        self.paths = paths
        self.function = function
        self.held = []
        # A method that creates files is not let loose on a path without one.
        self.unseen = list(paths) if creates else []

    def take_up(self):
        """Opens what the task keeps between operations, unless it is open."""
        while self.unseen:
            os.close(os.open(self.unseen[0], os.O_WRONLY))
            del self.unseen[0]

    def release(self):
        """Closes it."""

    def calls(self, first, count):
        """Functions and arguments of the operations with the numbers from first."""
        return repeat(self.function, count), turns(self.paths, first, count)


class BlockTask:
    """Reads blocks of files that stay open."""

    def __init__(self, plan, opener, job):
        self.plan = plan
        self.opener = opener
        self.job = job
        self.held = []

    def take_up(self):
        for path in self.plan.paths[len(self.held) :]:
            self.held.append(self.opener(path, self.job))

    def release(self):
        while self.held:
            self.held.pop().close()

    def calls(self, first, count):
        readers = [file.read for file in self.held]
        return turns(readers, first, count), iter(offsets(self.plan, first, count))
