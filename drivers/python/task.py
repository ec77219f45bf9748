"""Tasks: a method bound to the files of a run, ready to be repeated. Those that
write are in write_task.py; `null` has its own, in null.py.
"""

import os
from itertools import repeat

from loop import run_phases, turns
from methods import WRITERS
from null import NullTask
from offsets import offsets
from reload import Held
from steps import Steps


def new_task(plan, method, job, directory):
    if method.name == "null":
        return NullTask(plan)
    function = method.functions[plan.operation]
    if plan.operation == "read-block":
        return BlockTask(plan, function, job)
    if plan.operation == "config-load":
        return ConfigTask(plan, function)
    if plan.operation == "reload":
        return ReloadTask(plan, function)
    if plan.operation in WRITERS:
        return WRITERS[plan.operation](plan, function, directory)
    return PathTask(plan, function, method.creates and plan.operation == "open-write-close")


class Task:
    """What a task is unless it says otherwise: it holds nothing."""

    def __init__(self, plan, function):
        self.plan = plan
        self.function = function
        self.held = []

    def take_up(self):
        """Opens what the task keeps between operations, unless it is open."""

    def release(self):
        """Closes it."""

    def steps(self, first, count):
        """The operations with the numbers from first."""
        raise NotImplementedError

    def verify(self, job):
        """Performs operation 0, delivering to this job."""
        with self.steps(0, 1) as steps:
            run_phases(steps, job)

    def path_of(self, number):
        paths = self.plan.paths
        return paths[number % len(paths)]


class PathTask(Task):
    """An operation on the path of a file."""

    def __init__(self, plan, function, creates):
        super().__init__(plan, function)
        # A method that creates files is not let loose on a path without one.
        self.unseen = list(plan.paths) if creates else []

    def take_up(self):
        while self.unseen:
            os.close(os.open(self.unseen[0], os.O_WRONLY))
            del self.unseen[0]

    def steps(self, first, count):
        paths = self.plan.paths
        return Steps(paths, first, count, [(repeat(self.function, count), turns(paths, first, count))])


class ConfigTask(Task):
    """An operation on all paths at once."""

    def steps(self, first, count):
        paths = self.plan.paths
        return Steps(paths, 0, count, [(repeat(self.function, count), repeat(paths, count))])


class ReloadTask(Task):
    """Holds the data of files in memory, which is no hold on the files."""

    def take_up(self):
        for path in self.plan.paths[len(self.held) :]:
            self.held.append(Held(path))

    def steps(self, first, count):
        return Steps(self.plan.paths, first, count, [(repeat(self.function, count), turns(self.held, first, count))])


class BlockTask(Task):
    """Reads blocks of files that stay open."""

    def __init__(self, plan, opener, job):
        super().__init__(plan, opener)
        self.job = job

    def take_up(self):
        for path in self.plan.paths[len(self.held) :]:
            self.held.append(self.function(path, self.job))

    def release(self):
        while self.held:
            self.held.pop().close()

    def steps(self, first, count):
        readers = [file.read for file in self.held]
        return Steps(self.plan.paths, first, count, [(turns(readers, first, count), iter(offsets(self.plan, first, count)))])
