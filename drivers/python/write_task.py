"""Tasks that write. Each batch has a new directory of its own, made and filled
before its clock starts.
"""

import errno
import os
from itertools import repeat

from contents import blocks
from descriptors import check_room
from directory import make_data_file, make_existing, read_back, remove_files
from failure import OPERATION_ERRORS, UnsupportedError, is_refusal
from job import Job
from loop import run_phases, turns
from offsets import offsets
from steps import Steps


class WriteTask:
    takes_paths = False
    needs_size = True
    # Whether its files hold the job's data in the end, which `verify` delivers.
    leaves_data = False

    def __init__(self, plan, way, directory):
        self.plan = plan
        self.way = way
        self.directory = directory
        self.held = []

    def take_up(self):
        """It holds nothing between batches."""

    def release(self):
        pass

    def path_of(self, _):
        return self.directory.path

    def verify(self, job):
        """Performs operation 0, and delivers what it wrote to this job."""
        with self.steps(0, 1) as steps:
            run_phases(steps, Job(self.plan))
        self.read_back(steps, job)


class CreateTask(WriteTask):
    needs_size = False
    leaves_data = True
    existing_bytes = 4096

    @property
    def existing(self):
        """What stands where its files are made."""
        return self.plan.existing

    @property
    def each(self):
        """What does it all for one file."""
        return self.way.each

    @staticmethod
    def take_left(job):
        job.take(job.data)

    def steps(self, first, count):
        if self.plan.close != "each":
            return PhasedCreateSteps(self, first, count)
        return CreateSteps(self, first, count)

    def read_back(self, steps, job):
        read_back(steps.paths[0], job)


class CreateSteps(Steps):
    """Each file is closed before the next is opened."""

    makes_files = True

    def __init__(self, task, first, count):
        super().__init__([], first, count)
        self.task = task

    def __enter__(self):
        existing = self.task.existing
        prepared = self.task.directory.prepared() if existing != "fresh" else None
        folder = prepared or self.task.directory.new()
        self.paths = [os.path.join(folder, f"f{i}") for i in range(self.count)]
        if not prepared:
            make_existing(self.paths, existing, self.task.existing_bytes)
        self.phases = self.make_phases()
        return self

    def make_phases(self):
        return [(repeat(self.task.each, self.count), iter(self.paths))]

    def path_of(self, index):
        return self.paths[index] if self.paths else self.task.directory.path


class PhasedCreateSteps(CreateSteps):
    """Each file is opened and written; then all are closed."""

    def __enter__(self):
        check_room(self.count)
        return super().__enter__()

    def make_phases(self):
        way, plan, paths = self.task.way, self.task.plan, self.paths
        files = self.files = [None] * self.count
        opener, closer, sync = way.open, way.close, getattr(way, "sync", None)
        # A close after the clock must not be left to write.
        write = way.write_through if plan.close == "none" else way.write

        def open_file(i, job):
            files[i] = opener(paths[i])
            if plan.write:
                write(files[i], job)

        def sync_file(i, _):
            sync(files[i])

        def close_file(i, _):
            closer(files[i])
            files[i] = None

        functions = [open_file]
        if plan.sync == "fsync":
            functions.append(sync_file)
        if plan.close == "all":
            functions.append(close_file)
        return [(repeat(function, self.count), iter(range(self.count))) for function in functions]

    def __exit__(self, *_):
        for file in self.files:
            if file is not None:
                self.task.way.close(file)


class WriteBlockTask(WriteTask):
    def __init__(self, plan, way, directory):
        super().__init__(plan, way, directory)
        self.blocks = blocks(plan)
        self.job = Job(plan)

    def steps(self, first, count):
        return WriteBlockSteps(self, first, count)

    def file(self):
        """The path of the file that the next batch writes into."""
        if self.plan.existing == "data":
            return self.directory.file_with_data(self.plan.size)
        [path] = self.directory.replace(["f"])
        with open(path, "xb"):
            return path

    def read_back(self, steps, job):
        read_back(steps.paths[0], job, offsets(self.plan, 0, 1)[0], self.plan.block)


class WriteBlockSteps(Steps):
    makes_files = True

    def __init__(self, task, first, count):
        super().__init__([task.directory.path], first, count)
        self.task = task
        self.offsets = offsets(task.plan, first, count)
        self.file = None

    def __enter__(self):
        task = self.task
        path = task.file()
        self.paths = [path]
        start = self.offsets[0] if self.offsets else 0
        self.file = task.way(path, task.job, start)
        self.finish = self.file.finish
        places = zip(self.offsets, turns(task.blocks, self.first, self.count))
        self.phases = [(repeat(self.file.write, self.count), places)]
        return self

    def __exit__(self, *_):
        self.file.close()


class CopyTask(WriteTask):
    takes_paths = True

    def __init__(self, plan, way, directory):
        super().__init__(plan, way, directory)
        self.probed = way.probe is None

    def take_up(self):
        if self.probed:
            return
        target = os.path.join(self.directory.path, "probe")
        try:
            self.way.probe(self.plan.paths[0], target)
        except OPERATION_ERRORS as error:
            if is_refusal(error) or getattr(error, "errno", None) == errno.EXDEV:
                raise UnsupportedError(f"a copy to {self.directory.path}: {error}") from None
            raise
        finally:
            remove_files([target])
        self.probed = True

    def steps(self, first, count):
        return CopySteps(self, first, count)

    def path_of(self, number):
        paths = self.plan.paths
        return paths[number % len(paths)]

    def read_back(self, steps, job):
        read_back(steps.copies[0], job)


class CopySteps(Steps):
    makes_files = True

    def __init__(self, task, first, count):
        super().__init__(task.plan.paths, first, count)
        self.task = task

    def __enter__(self):
        task = self.task
        self.copies = task.directory.replace([f"c{i}" for i in range(self.count)])
        sources = turns(self.paths, self.first, self.count)
        self.phases = [(repeat(task.way.copy, self.count), iter(list(zip(sources, self.copies))))]
        return self
