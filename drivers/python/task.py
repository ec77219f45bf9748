"""Tasks: a method bound to the files of a run, ready to be repeated; and steps, the
operations of one batch, made ready before the clock starts.
"""

import os
from itertools import repeat
from operator import length_hint

from batch import run_phases
from data import offsets
from reload import Held


class Steps:
    """A phase is two iterators, of functions and of their first argument, so that nothing is
    looked up or counted while the clock runs. Nearly all batches have one phase; where files
    stay open, all are opened in one and closed in another.
    """

    makes_files = False
    # Called after the last operation, while the clock still runs.
    finish = None

    def __init__(self, paths, first, count, *phases):
        self.paths, self.first, self.count, self.phases = paths, first, count, phases

    def __enter__(self):
        """Makes what the operations find."""
        return self

    def __exit__(self, *_):
        """Closes what they left open."""

    def done(self):
        """How many operations were begun."""
        return self.count - length_hint(self.phases[0][0]) if self.phases else 0

    def failed_path(self):
        """The path of the operation that failed."""
        begun = (self.count - length_hint(functions) for functions, _ in self.phases)
        return self.path_of(next((count for count in begun if 0 < count < self.count), self.count) - 1)

    def path_of(self, index):
        return self.paths[(self.first + index) % len(self.paths)]


def turns(items, first, count):
    """The items that the operations with the numbers from first take in turn."""
    if len(items) == 1:
        return repeat(items[0], count)
    start = first % len(items)
    rounds = (start + count) // len(items) + 1
    return iter((items * rounds)[start : start + count])


class Task:
    """An operation on the path of a file; it holds nothing between operations."""

    def __init__(self, plan, function, job):
        self.plan, self.function, self.job, self.paths = plan, function, job, plan.paths
        self.held = []

    def take_up(self):
        """Opens what the task keeps between operations, unless it is open."""

    def release(self):
        """Closes it."""

    def steps(self, first, count):
        """The operations with the numbers from first."""
        return Steps(self.paths, first, count, (repeat(self.function, count), turns(self.paths, first, count)))

    def verify(self, job):
        """Performs operation 0, delivering to this job."""
        with self.steps(0, 1) as steps:
            run_phases(steps, job)

    def path_of(self, number):
        return self.paths[number % len(self.paths)]


class CreatingTask(Task):
    """A method that creates files is not let loose on a path without one."""

    def take_up(self):
        for path in self.paths[len(self.held) :]:
            os.close(os.open(path, os.O_WRONLY))
            self.held.append(path)


class ConfigTask(Task):
    """An operation on all paths at once."""

    def steps(self, first, count):
        return Steps(self.paths, 0, count, (repeat(self.function, count), repeat(self.paths, count)))


class ReloadTask(Task):
    """Holds the data of files in memory, which is no hold on the files."""

    def take_up(self):
        self.held += map(Held, self.paths[len(self.held) :])

    def steps(self, first, count):
        return Steps(self.paths, first, count, (repeat(self.function, count), turns(self.held, first, count)))


class BlockTask(Task):
    """Reads blocks of files that stay open."""

    def take_up(self):
        for path in self.paths[len(self.held) :]:
            self.held.append(self.function(path, self.job))

    def release(self):
        while self.held:
            self.held.pop().close()

    def steps(self, first, count):
        readers = [file.read for file in self.held]
        return Steps(self.paths, first, count, (turns(readers, first, count), iter(offsets(self.plan, first, count))))
