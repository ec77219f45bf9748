"""Steps: the operations of one batch, made ready before the clock starts.

A phase is two iterators, of functions and of their first argument, so that
nothing is looked up or counted while the clock runs. Nearly all batches have one
phase; where files stay open, all are opened in one and closed in another.
"""

from operator import length_hint


class Steps:
    makes_files = False
    # Called after the last operation, while the clock still runs.
    finish = None

    def __init__(self, paths, first, count, phases=()):
        self.paths = paths
        self.first = first
        self.count = count
        self.phases = phases

    def __enter__(self):
        """Makes what the operations find."""
        return self

    def __exit__(self, *_):
        """Closes what they left open."""

    def done(self):
        """How many operations were begun."""
        return self.count - self.left(0) if self.phases else 0

    def left(self, phase):
        return length_hint(self.phases[phase][0])

    def failed_path(self):
        """The path of the operation that failed."""
        return self.path_of(self.failed_index())

    def failed_index(self):
        for phase in range(len(self.phases)):
            left = self.left(phase)
            if 0 < left < self.count:
                return self.count - left - 1
        return self.count - 1

    def path_of(self, index):
        return self.paths[(self.first + index) % len(self.paths)]
