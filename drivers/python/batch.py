"""A batch: what lies between the two readings of the clock, and what is kept out
of it.
"""

import os
from time import perf_counter_ns  # CLOCK_MONOTONIC, through the vDSO

from figures import ThreadFigures, collections
from loop import run, run_each

COUNTED = {"lines": "lines", "search": "matches"}


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


def measure(plan, count, functions, arguments, job, with_collections, latencies_ns):
    """Performs the operations with the clock running."""
    job.reset()
    # The figures are one thread's; several threads would be half told.
    one_thread = plan.threads == 1 or plan.operation != "search"
    outcome = Outcome()
    collected = collections() if with_collections else None
    outcome.before = ThreadFigures() if one_thread else None
    if plan.marks:
        os.access("/fathom-mark/begin", os.F_OK)
    begin = perf_counter_ns()
    if latencies_ns is None:
        run(functions, arguments, job)
    else:
        run_each(functions, arguments, job, latencies_ns)
    end = perf_counter_ns()
    if plan.marks:
        os.access("/fathom-mark/end", os.F_OK)
    outcome.after = ThreadFigures() if one_thread else None
    outcome.collections = collections() - collected if with_collections else None
    outcome.count, outcome.ns = count, end - begin
    outcome.bytes, outcome.digest = job.bytes, job.digest
    counted = COUNTED.get(plan.operation)
    outcome.counted = counted and (counted, getattr(job, counted))
    return outcome
