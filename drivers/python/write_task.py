"""Tasks that write. Each batch has a new directory of its own, made and filled
before its clock starts.
"""

import errno
import os
from itertools import repeat

from batch import run_phases
from data import blocks, offsets, pattern
from failure import OPERATION_ERRORS, UnsupportedError, is_refusal
from job import Job
from task import Steps, Task, turns

try:
    import resource
except ImportError:  # It is a module of its own, which small systems leave out.
    resource = None

PIECE_BYTES = 1 << 20


class WriteTask(Task):
    # Of all methods of the process: how many directories were made, and what the batch before left in its own.
    made = 0
    left = []

    def path_of(self, _):
        return self.plan.directory

    def new_directory(self):
        path = os.path.join(self.plan.directory, str(WriteTask.made))
        WriteTask.made += 1
        os.mkdir(path)
        return path

    def replace(self, names):
        """Paths in a new directory; what the batch before had of this kind is removed."""
        for path in WriteTask.left:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass  # It was never made.
        folder = self.new_directory()
        WriteTask.left = [os.path.join(folder, name) for name in names]
        return WriteTask.left

    def verify(self, job):
        """Performs operation 0, and delivers what it wrote to this job."""
        with self.steps(0, 1) as steps:
            run_phases(steps, Job(self.plan))
        read_back(steps.written(), job)


def make_files(paths, size):
    """Files of so many bytes of the text, on the device."""
    piece = pattern(min(size, PIECE_BYTES))
    for path in paths:
        with open(path, "xb") as file:
            # Whole repetitions of the text fit into a piece, so the seams are right.
            for start in range(0, size, PIECE_BYTES):
                file.write(piece[: size - start])
    # Synced when all are written: the first sync does most of the work for the others.
    for path in paths if size else ():
        with open(path, "rb") as file:
            os.fsync(file.fileno())


def read_back(path, job, offset=0, length=None):
    """Delivers what stands in a file."""
    with open(path, "rb") as file:
        file.seek(offset)
        position = 0
        while piece := file.read(PIECE_BYTES if length is None else length - position):
            job.take(piece, position)
            position += len(piece)


class CreateTask(WriteTask):
    def __init__(self, plan, way, job):
        super().__init__(plan, way, job)
        self.existing = plan.existing
        self.existing_bytes = 4096 if plan.existing == "data" else 0
        self.each = way.each
        if plan.close != "each":
            raise_limit()

    def steps(self, first, count):
        return (CreateSteps if self.plan.close == "each" else PhasedCreateSteps)(self, first, count)


class CreateSteps(Steps):
    """Each file is closed before the next is opened."""

    makes_files = True

    def __init__(self, task, first, count):
        super().__init__([], first, count)
        self.task = task

    def __enter__(self):
        task = self.task
        prepared = os.path.join(task.plan.directory, "prepared")
        is_prepared = task.existing != "fresh" and os.path.isdir(prepared)
        folder = prepared if is_prepared else task.new_directory()
        self.paths = [os.path.join(folder, f"f{i}") for i in range(self.count)]
        if task.existing != "fresh" and not is_prepared:
            make_files(self.paths, task.existing_bytes)
        self.phases = self.make_phases()
        return self

    def make_phases(self):
        return [(repeat(self.task.each, self.count), iter(self.paths))]

    def path_of(self, index):
        return self.paths[index] if self.paths else self.task.plan.directory

    def written(self):
        return self.paths[0]


class PhasedCreateSteps(CreateSteps):
    """Each file is opened and written; then all are closed."""

    def __enter__(self):
        # The listing's own descriptor is among them, and closed afterward.
        room = os.sysconf("SC_OPEN_MAX") - len(os.listdir("/proc/self/fd")) + 1
        if self.count > room:
            raise UnsupportedError(f"{self.count} files open at once, where the limit leaves room for {room}")
        return super().__enter__()

    def make_phases(self):
        way, plan, paths = self.task.function, self.task.plan, self.paths
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
                self.task.function.close(file)


def raise_limit():
    """Raises this process's limit on descriptors as far as it may."""
    if resource is None:
        return
    with open("/proc/sys/fs/nr_open") as file:
        most = int(file.read())
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for limit in (most, hard):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, max(limit, hard)))
            return
        except (ValueError, OSError):
            continue  # More than the hard limit takes a privilege.


class TruncateTask(CreateTask):
    """Finds its files as create finds those that exist, and delivers nothing."""

    def __init__(self, plan, function, job):
        WriteTask.__init__(self, plan, function, job)
        self.existing, self.existing_bytes, self.each = "data", plan.size, function

    def steps(self, first, count):
        return CreateSteps(self, first, count)

    def verify(self, job):
        super().verify(job)
        job.bytes = job.digest = 0


class WriteBlockTask(WriteTask):
    def __init__(self, plan, way, job):
        super().__init__(plan, way, job)
        self.blocks = blocks(plan)

    def steps(self, first, count):
        return WriteBlockSteps(self, first, count)

    def file(self):
        """The path of the file that the next batch writes into; all overwrite the same one with data."""
        if not (WriteTask.left and self.plan.existing == "data"):
            make_files(self.replace(["f"]), self.plan.size if self.plan.existing == "data" else 0)
        return WriteTask.left[0]

    def verify(self, job):
        with self.steps(0, 1) as steps:
            run_phases(steps, Job(self.plan))
        read_back(steps.paths[0], job, offsets(self.plan, 0, 1)[0], self.plan.block)


class WriteBlockSteps(Steps):
    makes_files = True

    def __init__(self, task, first, count):
        super().__init__([task.plan.directory], first, count)
        self.task = task
        self.offsets = offsets(task.plan, first, count)

    def __enter__(self):
        task = self.task
        self.paths = [task.file()]
        self.file = task.function(self.paths[0], task.job, self.offsets[0] if self.offsets else 0)
        self.finish = self.file.finish
        places = zip(self.offsets, turns(task.blocks, self.first, self.count))
        self.phases = [(repeat(self.file.write, self.count), places)]
        return self

    def __exit__(self, *_):
        self.file.close()


class CopyTask(WriteTask):
    probed = False

    def take_up(self):
        probe = self.function.probe
        if self.probed or probe is None:
            return
        target = os.path.join(self.plan.directory, "probe")
        try:
            probe(self.paths[0], target)
        except OPERATION_ERRORS as error:
            if is_refusal(error) or getattr(error, "errno", None) == errno.EXDEV:
                raise UnsupportedError(f"a copy to {self.plan.directory}: {error}") from None
            raise
        finally:
            if os.path.exists(target):
                os.unlink(target)
        self.probed = True

    path_of = Task.path_of

    def steps(self, first, count):
        return CopySteps(self, first, count)


class CopySteps(Steps):
    makes_files = True

    def __init__(self, task, first, count):
        super().__init__(task.paths, first, count)
        self.task = task

    def __enter__(self):
        self.copies = self.task.replace([f"c{i}" for i in range(self.count)])
        pairs = list(zip(turns(self.paths, self.first, self.count), self.copies))
        self.phases = [(repeat(self.task.function.copy, self.count), iter(pairs))]
        return self

    def written(self):
        return self.copies[0]
