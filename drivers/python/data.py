"""Offsets, and what is written: functions of the operation's number alone (PROTOCOL.md)."""

import struct

POOL_BYTES = 1 << 20
PATTERN = b"fathom pattern.\n"
MASK = 2**64 - 1


def splitmix64(x):
    z = (x + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
    return z ^ z >> 31


def offsets(plan, first, count):
    """Where the operations with the numbers from first read or write."""
    block, aligned, numbers = plan.block, plan.alignment == "aligned", range(first, first + count)
    if plan.access == "random":
        numbers = (splitmix64(plan.seed + k) for k in numbers)
        if not aligned:
            return [number % (plan.size - block + 1) for number in numbers]
    shift = 0 if aligned else 1
    return [number % ((plan.size - shift) // block) * block + shift for number in numbers]


def pattern(size):
    """The text, repeated and cut to this many bytes."""
    return (PATTERN * (size // len(PATTERN) + 1))[:size]


def blocks(plan):
    """The blocks that operations write in turn, cut from the pool."""
    words = (splitmix64(plan.seed + i & MASK) for i in range(POOL_BYTES // 8))
    pool = pattern(POOL_BYTES) if plan.content == "pattern" else struct.pack(f"<{POOL_BYTES // 8}Q", *words)
    return [pool[start : start + plan.block] for start in range(0, max(1, POOL_BYTES - plan.block + 1), plan.block)]
