"""What is written: the text that repeats, and the pool that blocks come from."""

import struct

from offsets import splitmix64

POOL_BYTES = 1 << 20
PATTERN = b"fathom pattern.\n"
MASK = 2**64 - 1


def pattern(size):
    """The text, repeated and cut to this many bytes."""
    return (PATTERN * (size // len(PATTERN) + 1))[:size]


def pool(plan):
    """The bytes that blocks are cut from."""
    if plan.content == "pattern":
        return pattern(POOL_BYTES)
    words = POOL_BYTES // 8
    return struct.pack(f"<{words}Q", *(splitmix64(plan.seed + i & MASK) for i in range(words)))


def blocks(plan):
    """The blocks that operations write in turn."""
    data = pool(plan)
    if plan.block > POOL_BYTES // 2:
        return [data[: plan.block]]
    ends = range(plan.block, POOL_BYTES + 1, plan.block)
    return [data[end - plan.block : end] for end in ends]
