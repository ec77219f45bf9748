"""A session: it prepares what the arguments ask for, then obeys lines until the
input ends.
"""

import gc
import re
import sys
from array import array
from contextlib import contextmanager

from batch import measure, run_phases
from failure import OPERATION_ERRORS, UnsupportedError, error_line, is_refusal
from job import Job, VerifyingJob

NUMBER = "([0-9]{1,18})"
BATCH = re.compile(f"batch {NUMBER}(?: method={NUMBER})?(?: preroll={NUMBER})?")
BLOCK = re.compile(f" {NUMBER}:{NUMBER}:{NUMBER}")
BLOCKS = re.compile(f"blocks(?:{BLOCK.pattern})+")
VERIFY = re.compile(f"verify(?: method={NUMBER})?")


class Failed(Exception):
    """An operation failed; the message is the answer."""


class Session:
    """One `run`, with everything allocated that its batches need."""

    def __init__(self, plan):
        self.plan = plan
        self.job = Job(plan)
        self.performed = [0] * len(plan.methods)
        self.tasks = [method.task(plan, self.job) for method in plan.methods]
        for method, task in zip(plan.methods, self.tasks):
            try:
                task.take_up()
            except OPERATION_ERRORS as error:
                # A file that cannot be opened is reported by the batch that needs it.
                if is_refusal(error):
                    raise UnsupportedError(f"{method.name}: {error}") from None
        self.latencies = open(plan.latencies, "ab") if plan.latencies else None
        # What preparing left behind is not the operations' to collect.
        gc.collect()

    def obey(self):
        """Answers lines until `quit` or the end of input."""
        print("ready", flush=True)
        for line in sys.stdin:
            line = line.rstrip("\n")
            if line == "quit":
                return
            try:
                print(self.answer(line), flush=True)
            except Failed as failed:
                print(failed, flush=True)
            except LookupError:
                print(f"error op=protocol errno=EINVAL path={line}", flush=True)

    def answer(self, line):
        """The answer to a line; LookupError where it makes no sense."""
        if match := BATCH.fullmatch(line):
            return str(self.batch(*self.order(match[2], match[1], match[3])))
        if BLOCKS.fullmatch(line):
            return self.blocks([self.order(*words) for words in BLOCK.findall(line)])
        if match := VERIFY.fullmatch(line):
            return self.verify(*self.order(match[1]))
        if line == "release":
            for number, task in enumerate(self.tasks):
                with self.answered(number, lambda: task.path_of(0), "close"):
                    task.release()
            return "released"
        raise LookupError

    def order(self, method, *counts):
        number, *counts = (int(word or 0) for word in (method, *counts))
        if number >= len(self.tasks):
            raise LookupError
        return number, *counts

    @contextmanager
    def answered(self, method, path, call=None):
        """A failure within is the answer, on this path unless the error names one."""
        try:
            yield
        except OPERATION_ERRORS as error:
            raise Failed(error_line(error, call or self.plan.methods[method].call, path())) from None

    def batch(self, method, count, preroll):
        if self.latencies is None:
            return self.perform(method, count, preroll, with_collections=True)
        with self.answered(method, lambda: self.plan.latencies, "latencies"):
            latencies_ns = array("Q", bytes(8 * count))
            outcome = self.perform(method, count, preroll, True, latencies_ns)
            if sys.byteorder == "big":
                latencies_ns.byteswap()
            self.latencies.write(latencies_ns)
            self.latencies.flush()
        return outcome

    def blocks(self, orders):
        answers = []
        for order in orders:
            try:
                answers.append(self.perform(*order, with_collections=False))
            except Failed as failed:
                return "\n".join(map(str, [*answers, failed]))
        return "\n".join(map(str, [*answers, "end"]))

    def verify(self, method):
        """Performs operation number 0, whatever was performed before; it does not count."""
        job, task = VerifyingJob(self.plan), self.tasks[method]
        with self.answered(method, lambda: task.path_of(0)):
            task.take_up()
            task.verify(job)
        return f"verified bytes={job.bytes} crc32={job.crc32:08x}"

    def perform(self, method, count, preroll, with_collections, latencies_ns=None):
        """One batch: what is held, the pre-roll, then the timed operations."""
        task, first = self.tasks[method], self.performed[method]
        with self.answered(method, lambda: task.path_of(len(task.held))):
            task.take_up()
            # Both are made ready before the pre-roll, which warms what the clock is to see.
            steps = untimed = task.steps(first, preroll)
            timed = task.steps(first + preroll, count)
        try:
            with self.answered(method, lambda: steps.failed_path()):
                # Even without operations it warms the loop; a directory is made for operations only.
                if preroll or not untimed.makes_files:
                    with untimed:
                        run_phases(untimed, self.job)
                steps = timed
                with timed:
                    return measure(self.plan, timed, self.job, with_collections, latencies_ns)
        finally:
            self.performed[method] += untimed.done() + timed.done()
