"""A session: it prepares what the arguments ask for, then obeys lines until the
input ends.
"""

import gc
import sys
from array import array

from arguments import ArgumentsError
from batch import measure
from descriptors import raise_limit
from directory import Directory
from failure import OPERATION_ERRORS, UnsupportedError, error_line, is_refusal
from job import Job, VerifyingJob
from loop import run_phases
from protocol import NonsenseError, parse_batch, parse_schedule, parse_verify
from support import check_support
from task import new_task


class OperationFailed(Exception):
    """An operation failed; the message is the answer."""


class Session:
    """One `run`, with everything allocated that its batches need."""

    def __init__(self, plan):
        self.plan = plan
        for method in plan.methods:
            check_support(plan, method)
        if plan.operation == "create" and plan.close != "each":
            raise_limit()
        self.job = Job(plan)
        self.directory = Directory(plan.directory)
        self.performed = [0] * len(plan.methods)
        self.tasks = [self.prepare(method) for method in plan.methods]
        self.latencies = self.open_latencies()
        # What preparing left behind is not the operations' to collect.
        gc.collect()

    def prepare(self, method):
        """Binds a method to the files and takes up what it holds. A file that
        cannot be opened is not reported here but by the batch that needs it.
        """
        task = new_task(self.plan, method, self.job, self.directory)
        try:
            task.take_up()
        except OPERATION_ERRORS as error:
            if is_refusal(error):
                raise UnsupportedError(f"{method.name}: {error}") from None
        return task

    def open_latencies(self):
        if self.plan.latencies is None:
            return None
        try:
            return open(self.plan.latencies, "ab")
        except OSError as error:
            raise ArgumentsError(f"--latencies: {error}") from None

    def obey(self, lines, out):
        """Answers lines until `quit` or the end of input."""
        print("ready", file=out, flush=True)
        for line in lines:
            line = line.rstrip("\n")
            if line == "quit":
                return
            print(self.answer(line), file=out, flush=True)

    def answer(self, line):
        words = line.split()
        try:
            if words[:1] == ["batch"]:
                return self.answer_batch(parse_batch(words[1:], len(self.tasks)))
            if words[:1] == ["blocks"]:
                return self.answer_blocks(parse_schedule(words[1:], len(self.tasks)))
            if words[:1] == ["verify"]:
                return self.answer_verify(parse_verify(words[1:], len(self.tasks)))
            if words == ["release"]:
                return self.answer_release()
            raise NonsenseError
        except NonsenseError:
            return f"error op=protocol errno=EINVAL path={line}"
        except OperationFailed as failed:
            return str(failed)

    def answer_batch(self, order):
        if self.latencies is None:
            return str(self.perform(order, with_collections=True))
        try:
            latencies_ns = array("Q", bytes(8 * order.count))
            outcome = self.perform(order, with_collections=True, latencies_ns=latencies_ns)
            if sys.byteorder == "big":
                latencies_ns.byteswap()
            self.latencies.write(latencies_ns)
            self.latencies.flush()
        except (OSError, MemoryError, OverflowError) as error:
            return error_line(error, "latencies", self.plan.latencies)
        return str(outcome)

    def answer_blocks(self, schedule):
        answers = []
        for order in schedule:
            try:
                answers.append(self.perform(order, with_collections=False))
            except OperationFailed as failed:
                answers.append(failed)
                break
        else:
            answers.append("end")
        return "\n".join(map(str, answers))

    def answer_verify(self, method):
        """Performs operation number 0, whatever was performed before; it does not count."""
        job = VerifyingJob(self.plan)
        task = self.tasks[method]
        try:
            task.take_up()
            task.verify(job)
        except OPERATION_ERRORS as error:
            raise self.failed(method, error, task.path_of(0)) from None
        return f"verified bytes={job.bytes} crc32={job.crc32:08x}"

    def answer_release(self):
        for number, task in enumerate(self.tasks):
            try:
                task.release()
            except OPERATION_ERRORS as error:
                raise self.failed(number, error, task.path_of(0), call="close") from None
        return "released"

    def perform(self, order, with_collections, latencies_ns=None):
        """One batch: what is held, the pre-roll, then the timed operations."""
        task = self.tasks[order.method]
        first = self.performed[order.method]
        try:
            task.take_up()
            # Both are made ready before the pre-roll, which warms what the clock is to see.
            untimed = task.steps(first, order.preroll)
            timed = task.steps(first + order.preroll, order.count)
        except OPERATION_ERRORS as error:
            raise self.failed(order.method, error, task.path_of(len(task.held))) from None
        steps = untimed
        try:
            # Even without operations it warms the loop; a directory is made for operations only.
            if order.preroll or not untimed.makes_files:
                with untimed:
                    run_phases(untimed, self.job)
            steps = timed
            with timed:
                return measure(self.plan, timed, self.job, with_collections, latencies_ns)
        except OPERATION_ERRORS as error:
            raise self.failed(order.method, error, steps.failed_path()) from None
        finally:
            self.performed[order.method] += untimed.done() + timed.done()

    def failed(self, method, error, path, call=None):
        """The answer when an operation failed, on this path unless the error names one."""
        path = getattr(error, "filename", None) or path
        return OperationFailed(error_line(error, call or self.plan.methods[method].call, path))
