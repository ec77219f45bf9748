"""Where read-block reads: the protocol's offsets, a function of the operation's
number alone.
"""

MASK = 2**64 - 1


def splitmix64(x):
    """The protocol's generator."""
    z = (x + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def places(plan):
    """How many blocks of the asked kind a file has to choose from."""
    if plan.size < plan.block:
        return 0
    if not plan.unaligned:
        return plan.size // plan.block
    if plan.sequential:
        return (plan.size - 1) // plan.block
    return plan.size - plan.block + 1


def offsets(plan, first, count):
    """Where the operations with the numbers from first start reading."""
    numbers = range(first, first + count)
    if not plan.sequential:
        numbers = (splitmix64(plan.seed + k) for k in numbers)
    choices = places(plan)
    if not plan.unaligned:
        return [number % choices * plan.block for number in numbers]
    if plan.sequential:
        return [number % choices * plan.block + 1 for number in numbers]
    return [number % choices for number in numbers]
