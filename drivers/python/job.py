"""What every operation gets beside its file: how much to read, into what, and
where to deliver it. Delivering is where the digest is made, which proves that
the data was there.
"""

import binascii
import mmap
import os

from config_load import loader
from data import pattern

PAGE_BYTES = 4096


class Job:
    __slots__ = (
        "length", "block", "size", "sizes", "word", "threads", "fresh", "buffer_bytes", "reused", "data", "fsync", "load",
        "bytes", "digest", "lines", "matches",
    )

    def __init__(self, plan):
        self.block, self.size, self.word, self.threads = plan.block, plan.size, plan.word, plan.threads
        # Of whole files each its own, asked for here: asking in an operation would be another call.
        whole = plan.operation in ("read-whole", "hash", "search")
        self.sizes = {path: size_of(path) for path in plan.paths} if whole else {}
        # What one operation reads: never more than the file holds, since
        # BufferedReader.read asks again after a short read.
        self.length = min(plan.block, plan.size)
        # What `create` writes into each file.
        self.data = pattern(plan.write)
        self.fsync = plan.sync == "fsync"
        # What parses an open configuration file.
        self.load = loader(plan.format)[0] if plan.operation == "config-load" else None
        self.fresh = plan.buffer == "fresh"
        self.reused = None
        self.buffer_bytes = max(self.sizes.values(), default=0) if plan.operation == "read-whole" else self.length
        if not self.fresh and any(method.takes_buffer for method in plan.methods):
            self.reused = page_aligned(self.buffer_bytes)
        self.reset()

    def reset(self):
        self.bytes = self.digest = self.lines = self.matches = 0

    def next_buffer(self):
        """The buffer of the next operation: always the same one, or a new one."""
        return memoryview(bytearray(self.buffer_bytes)) if self.fresh else self.reused

    def take(self, data, position=0):
        """Accepts data; position is what the operation delivered before it."""
        self.bytes += len(data)
        self.digest += sum(data[-position % PAGE_BYTES :: PAGE_BYTES])

    def take_text(self, text):
        """Accepts data that was decoded as latin-1, one character for each byte."""
        self.bytes += len(text)
        self.digest += sum(text[::PAGE_BYTES].encode("latin-1"))

    def take_lines(self, lines):
        count = length = digest = 0
        for line in lines:
            line = line.rstrip(b"\n")
            count += 1
            length += len(line)
            if line:
                digest += line[0]
        self.take_answer(length, digest, lines=count)

    def take_text_lines(self, lines):
        count = length = digest = 0
        for line in lines:
            line = line.rstrip("\n")
            count += 1
            length += len(line)
            if line:
                digest += ord(line[0])
        self.take_answer(length, digest, lines=count)

    def take_matches(self, size, matches):
        self.take_answer(size, matches, matches=matches)

    def take_hash(self, size, md5):
        self.take_answer(size, int.from_bytes(md5[:8], "big"))

    def take_config(self, size, config):
        limits = config["limits"]
        self.take_answer(size, config["port"] + limits["open"] + limits["read"])

    def take_answer(self, size, digest, lines=0, matches=0):
        self.bytes += size
        self.digest += digest
        self.lines += lines
        self.matches += matches

    def take_known(self, answer):
        """Accepts what another job was given, as null does."""
        self.take_answer(answer.bytes, answer.digest, answer.lines, answer.matches)


class VerifyingJob(Job):
    """Makes the CRC-32 of all that is delivered."""

    __slots__ = ("crc32",)

    def reset(self):
        super().reset()
        self.crc32 = 0

    def take(self, data, position=0):
        super().take(data, position)
        self.crc32 = binascii.crc32(data, self.crc32)

    def take_text(self, text):
        self.take(text.encode("latin-1"))

    def take_lines(self, lines):
        super().take_lines(map(self.pass_line, lines))

    def take_text_lines(self, lines):
        self.take_lines(line.encode("latin-1") for line in lines)

    def pass_line(self, line):
        self.crc32 = binascii.crc32(line.rstrip(b"\n") + b"\n", self.crc32)
        return line

    def take_matches(self, size, matches):
        super().take_matches(size, matches)
        self.crc32 = binascii.crc32(b"%d" % matches)

    def take_hash(self, size, md5):
        super().take_hash(size, md5)
        self.crc32 = binascii.crc32(md5)

    def take_config(self, size, config):
        super().take_config(size, config)
        # One file after the other; the sum over the last is the answer.
        self.crc32 = binascii.crc32(b"%d" % self.digest)

    def take_known(self, answer):
        super().take_known(answer)
        self.crc32 = answer.crc32


def size_of(path):
    try:
        return os.stat(path).st_size
    except OSError:  # The operation will say so.
        return 0


def page_aligned(length):
    """A touched buffer at the start of a page, which bytearray cannot promise."""
    memory = mmap.mmap(-1, max(1, length), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for page in range(0, length, PAGE_BYTES):
        memory[page] = 1
    return memoryview(memory)[:length]
