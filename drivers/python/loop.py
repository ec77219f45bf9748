"""The loop over operations: the only code, besides the methods, that runs while
the clock does.
"""

from itertools import repeat
from time import perf_counter_ns


def turns(items, first, count):
    """The items that the operations with the numbers from first take in turn."""
    if len(items) == 1:
        return repeat(items[0], count)
    start = first % len(items)
    rounds = (start + count) // len(items) + 1
    return iter((items * rounds)[start : start + count])


def run_phases(steps, job):
    """All of a batch that is not timed."""
    for functions, arguments in steps.phases:
        run(functions, arguments, job)
    if steps.finish is not None:
        steps.finish()


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
