"""A batch: the loop over operations, which with the methods is all that runs while
the clock does, and what is measured around it.
"""

import gc
import os
import time
from time import perf_counter_ns  # CLOCK_MONOTONIC, through the vDSO

try:
    import resource
except ImportError:  # It is a module of its own, which small systems leave out.
    resource = None

COUNTED = {"lines": "lines", "search": "matches"}
RUSAGE_FIELDS = {"nivcsw": "ru_nivcsw", "minflt": "ru_minflt", "majflt": "ru_majflt"}


def run(functions, arguments, job):
    for function, argument in zip(functions, arguments):
        function(argument, job)


def run_each(functions, arguments, job, latencies_ns):
    """`run` with a reading of the clock after every operation, whose own times are
    added to those that it had in the phases before.
    """
    number = 0
    last = perf_counter_ns()
    for function, argument in zip(functions, arguments):
        function(argument, job)
        now = perf_counter_ns()
        latencies_ns[number] += now - last
        last = now
        number += 1


def run_phases(steps, job):
    """All of a batch that is not timed."""
    for functions, arguments in steps.phases:
        run(functions, arguments, job)
    if steps.finish is not None:
        steps.finish()


def run_more(steps):
    """What comes after the first phase, as a function."""
    phases, finish = steps.phases[1:], steps.finish

    def run_rest(job, latencies_ns):
        for functions, arguments in phases:
            if latencies_ns is None:
                run(functions, arguments, job)
            else:
                run_each(functions, arguments, job, latencies_ns)
        if finish is not None:
            finish()

    return run_rest


class ThreadFigures:
    """What the kernel counted for this thread; a reading takes about 1 µs in all."""

    __slots__ = ("cpu_ns", "usage")

    def __init__(self):
        self.usage = resource and resource.getrusage(resource.RUSAGE_THREAD)
        self.cpu_ns = time.thread_time_ns()

    def since(self, before):
        text = f" cpu_ns={self.cpu_ns - before.cpu_ns}"
        if self.usage is not None:
            for key, field in RUSAGE_FIELDS.items():
                text += f" {key}={getattr(self.usage, field) - getattr(before.usage, field)}"
        return text


def collections():
    """How often the collector ran, whatever the generation. Not cheap."""
    return sum(generation["collections"] for generation in gc.get_stats())


class Outcome:
    """The result of one batch; it becomes text only when it is printed."""

    __slots__ = ("count", "ns", "bytes", "digest", "counted", "before", "after", "collections")

    def __str__(self):
        text = f"done ops={self.count} ns={self.ns} bytes={self.bytes} digest={self.digest % 2**64}"
        if self.counted is not None:
            text += f" {self.counted[0]}={self.counted[1]}"
        if self.before is not None:
            text += self.after.since(self.before)
        if self.collections is not None:
            text += f" gc_count={self.collections}"
        return text


def measure(plan, steps, job, with_collections, latencies_ns):
    """Performs the steps with the clock running; they have been entered."""
    job.reset()
    # The figures are one thread's; several threads would be half told.
    one_thread = plan.threads == 1 or plan.operation != "search"
    outcome = Outcome()
    functions, arguments = steps.phases[0]
    # A loop over the phases would cost the many batches of one operation and one phase.
    more = run_more(steps) if len(steps.phases) > 1 or steps.finish is not None else None
    collected = collections() if with_collections else None
    outcome.before = ThreadFigures() if one_thread else None
    if plan.marks:
        os.access("/fathom-mark/begin", os.F_OK)
    begin = perf_counter_ns()
    if latencies_ns is None:
        run(functions, arguments, job)
    else:
        run_each(functions, arguments, job, latencies_ns)
    if more is not None:
        more(job, latencies_ns)
    end = perf_counter_ns()
    if plan.marks:
        os.access("/fathom-mark/end", os.F_OK)
    outcome.after = ThreadFigures() if one_thread else None
    outcome.collections = collections() - collected if with_collections else None
    outcome.count, outcome.ns = steps.count, end - begin
    outcome.bytes, outcome.digest = job.bytes, job.digest
    counted = COUNTED.get(plan.operation)
    outcome.counted = counted and (counted, getattr(job, counted))
    return outcome
