"""Figures beside the time, read outside the clock: the thread's from the kernel,
the collector's from the runtime.

CPython counts no allocations: sys.getallocatedblocks tells only how many live.
"""

import gc
import time

try:
    import resource
except ImportError:  # It is a module of its own, which small systems leave out.
    resource = None

RUSAGE_FIELDS = {"nivcsw": "ru_nivcsw", "minflt": "ru_minflt", "majflt": "ru_majflt"}


class ThreadFigures:
    """What the kernel counted for this thread; a reading takes about 1 µs in all."""

    __slots__ = ("cpu_ns", "usage")

    def __init__(self):
        self.usage = resource and resource.getrusage(resource.RUSAGE_THREAD)
        self.cpu_ns = time.thread_time_ns()

    def since(self, before):
        text = f" cpu_ns={self.cpu_ns - before.cpu_ns}"
        if self.usage is None:
            return text
        for key, field in RUSAGE_FIELDS.items():
            text += f" {key}={getattr(self.usage, field) - getattr(before.usage, field)}"
        return text


def collections():
    """How often the collector ran, whatever the generation. Not cheap."""
    return sum(generation["collections"] for generation in gc.get_stats())
