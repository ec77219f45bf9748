"""The arguments of `run` and what they must satisfy. Nothing is opened here."""

import os

from contents import POOL_BYTES
from methods import OPERATIONS, WRITERS, find_method
from offsets import places

MAX_U64 = 2**64 - 1
# A number of bytes is also a file offset.
MAX_OFFSET = 2**63 - 1

NEED_SIZE = ("open-read-close", "read-whole", "read-block", "search", "hash", "config-load", "reload")
NEED_BLOCKS = ("read-block", "write-block")
NO_PATH = ("null", *(operation for operation, task in WRITERS.items() if not task.takes_paths))


class ArgumentsError(Exception):
    """The arguments make no sense."""


class Plan:
    """What the arguments of `run` ask for."""

    def __init__(self):
        self.operation = None
        self.methods = []
        self.paths = []
        self.size = None
        self.block = 65536
        self.sequential = False
        self.unaligned = False
        self.buffer = "reused"
        self.word = b"ERROR"
        self.threads = 1
        self.queue_depth = 1
        self.algorithm = "md5"
        self.directory = None
        self.existing = "fresh"
        self.write = 0
        self.close = "each"
        self.sync = "none"
        self.content = "random"
        self.format = "json"
        self.seed = 1
        self.marks = False
        self.latencies = None


def parse_arguments(words):
    plan = Plan()
    names = []
    rest = iter(words)
    for word in rest:
        if word == "--marks":
            plan.marks = True
            continue
        if word not in TAKERS and word != "--method":
            raise ArgumentsError(f"unexpected argument {word!r}")
        value = next(rest, None)
        if value is None:
            raise ArgumentsError(f"{word} needs a value")
        if word == "--method":
            names.append(value)
        else:
            TAKERS[word](plan, word, value)
    if plan.operation is None:
        raise ArgumentsError("--operation is missing")
    plan.methods = [method_for(plan.operation, name) for name in names]
    check(plan)
    return plan


def take_operation(plan, word, value):
    if plan.operation is not None:
        raise ArgumentsError(f"{word} is given twice")
    if value not in OPERATIONS:
        raise ArgumentsError(f"unknown operation {value!r}")
    plan.operation = value


def take_path(plan, _, value):
    plan.paths.append(value)


def take_path_list(plan, _, value):
    try:
        with open(value, "rb") as file:
            plan.paths += map(os.fsdecode, file.read().split(b"\0")[:-1])
    except OSError as error:
        raise ArgumentsError(f"--path-list: {error}") from error


def take_word(plan, _, value):
    plan.word = os.fsencode(value)


def text(field):
    def take(plan, _, value):
        setattr(plan, field, value)

    return take


def number(field, most):
    def take(plan, word, value):
        if not (value.isascii() and value.isdigit()) or int(value) > most:
            raise ArgumentsError(f"{word}: {value!r} is not a number up to {most}")
        setattr(plan, field, int(value))

    return take


def choice(field, first, second):
    """The field becomes true for the second word."""

    def take(plan, word, value):
        if value not in (first, second):
            raise ArgumentsError(f"{word}: {value!r} is neither {first} nor {second}")
        setattr(plan, field, value == second)

    return take


def one_of(field, *words):
    """The field becomes the word."""

    def take(plan, word, value):
        if value not in words:
            raise ArgumentsError(f"{word}: {value!r} is none of {', '.join(words)}")
        setattr(plan, field, value)

    return take


TAKERS = {
    "--operation": take_operation,
    "--path": take_path,
    "--path-list": take_path_list,
    "--size": number("size", MAX_OFFSET),
    "--block": number("block", MAX_OFFSET),
    "--access": choice("sequential", "random", "sequential"),
    "--alignment": choice("unaligned", "aligned", "unaligned"),
    "--buffer": one_of("buffer", "reused", "fresh", "stack"),
    "--word": take_word,
    "--threads": number("threads", 1024),
    "--queue-depth": number("queue_depth", 65536),
    "--algorithm": one_of("algorithm", "md5", "xxh64"),
    "--directory": text("directory"),
    "--existing": one_of("existing", "fresh", "empty", "data"),
    "--write": number("write", MAX_OFFSET),
    "--close": one_of("close", "each", "all", "none"),
    "--sync": one_of("sync", "none", "fsync", "syncfs"),
    "--content": one_of("content", "random", "pattern"),
    "--format": one_of("format", "json", "yaml", "toml"),
    "--seed": number("seed", MAX_U64),
    "--latencies": text("latencies"),
}


def method_for(operation, name):
    method = find_method(name)
    if method is None:
        raise ArgumentsError(f"unknown method {name!r}")
    if operation not in method.operations:
        raise ArgumentsError(f"method {name!r} cannot perform {operation}")
    return method


def check(plan):
    if not plan.methods:
        raise ArgumentsError("--method is missing")
    if plan.operation not in NO_PATH and not plan.paths:
        raise ArgumentsError("--path is missing")
    if plan.block < 1:
        raise ArgumentsError("--block must be at least 1")
    if plan.threads < 1:
        raise ArgumentsError("--threads must be at least 1")
    if plan.queue_depth < 1:
        raise ArgumentsError("--queue-depth must be at least 1")
    needs_size = plan.operation in NEED_SIZE or getattr(WRITERS.get(plan.operation), "needs_size", False)
    if needs_size and plan.size is None:
        raise ArgumentsError(f"{plan.operation} needs --size")
    if plan.operation in NEED_BLOCKS and places(plan) < 1:
        raise ArgumentsError(f"a file of {plan.size} bytes has no such block of {plan.block} bytes")
    if plan.operation == "write-block" and plan.block > POOL_BYTES:
        raise ArgumentsError(f"--block of write-block must be at most {POOL_BYTES}")
    if plan.operation in WRITERS:
        check_directory(plan)
    if plan.operation == "search":
        check_word(plan.word)


def check_directory(plan):
    if plan.directory is None:
        raise ArgumentsError(f"{plan.operation} needs --directory")
    if not os.path.isdir(plan.directory):
        raise ArgumentsError(f"--directory: {plan.directory!r} is no directory")


def check_word(word):
    if not word:
        raise ArgumentsError("--word is empty")
    if b"\n" in word:
        raise ArgumentsError("--word holds a newline, which no line does")
    if any(word.startswith(word[shift:]) for shift in range(1, len(word))):
        # "aa" in "aaa": once or twice, and where pieces meet it would matter.
        raise ArgumentsError("--word overlaps itself: how often it occurs is a matter of opinion")
