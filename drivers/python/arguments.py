"""The arguments of `run`, and what a method cannot do of them. That the values fit
each other is for Fathom to check, before it starts a driver.
"""

import os
from types import SimpleNamespace

from config_load import loader
from failure import UnsupportedError
from methods import WRITERS, find_method

# Their defaults; a number where a number is wanted.
SETTINGS = {
    "operation": "", "size": 0, "block": 65536, "access": "random", "alignment": "aligned", "buffer": "reused", "word": "ERROR",
    "threads": 1, "queue_depth": 1, "algorithm": "md5", "directory": None, "existing": "fresh", "write": 0, "close": "each",
    "sync": "none", "content": "random", "format": "json", "seed": 1, "latencies": None,
}


class ArgumentsError(Exception):
    """The arguments make no sense."""


def parse_arguments(words):
    plan = SimpleNamespace(**SETTINGS, methods=[], paths=[], marks=False)
    rest = iter(words)
    for word in rest:
        name = word.removeprefix("--").replace("-", "_")
        if word == "--marks":
            plan.marks = True
        elif (value := next(rest, None)) is None:
            raise ArgumentsError(f"unexpected argument, or one without a value: {word!r}")
        elif word == "--method":
            plan.methods.append(value)
        elif word == "--path":
            plan.paths.append(value)
        elif word == "--path-list":
            with open(value, "rb") as file:
                plan.paths += map(os.fsdecode, file.read().split(b"\0")[:-1])
        elif word.startswith("--") and name in SETTINGS:
            setattr(plan, name, number(word, value) if isinstance(SETTINGS[name], int) else value)
        else:
            raise ArgumentsError(f"unexpected argument {word!r}")
    plan.methods = [method_for(plan.operation, name) for name in plan.methods]
    if not plan.methods:
        raise ArgumentsError("--method is missing")
    if plan.operation in WRITERS and plan.directory is None:
        raise ArgumentsError("--directory is missing")
    plan.word = os.fsencode(plan.word)
    for method in plan.methods:
        if reason := method.unavailable or refusal(plan, method):
            raise UnsupportedError(f"{method.name}: {reason}")
    return plan


def number(word, value):
    if not (value.isascii() and value.isdigit()):
        raise ArgumentsError(f"{word}: {value!r} is not a number")
    return int(value)


def method_for(operation, name):
    method = find_method(name)
    if method is None or operation not in method.functions:
        raise ArgumentsError(f"no method {name!r} that performs {operation!r}")
    return method


def refusal(plan, method):
    """Why the method cannot do what is asked; None where it can."""
    operation = plan.operation
    if plan.buffer == "stack":
        return "Python puts no buffer on the stack"
    if operation == "hash" and plan.algorithm != "md5":
        return "Python has no XXH64"
    if operation in WRITERS and plan.sync == "syncfs":
        return "Python has no syncfs, and os.sync is not the same"
    if method.name == "null":
        return None
    if operation in ("read-block", "read-whole") and (plan.threads > 1 or plan.queue_depth > 1):
        return "it reads on one thread, one block after the other"
    if operation == "config-load":
        return loader(plan.format)[1] if plan.format in method.formats else f"it does not parse {plan.format}"
    way = method.functions[operation]
    if operation == "create":
        if plan.existing != "fresh" and way.exclusive:
            return "it refuses files that exist"
        if (plan.close != "each" or plan.sync == "fsync") and not way.holds:
            return "it closes the file by itself, and has no descriptor to sync before"
    if operation == "write-block" and way.in_order:
        if plan.access != "sequential":
            return "it writes in order only"
        return "it truncates the file that is to be overwritten" if plan.existing == "data" else None
    if operation == "copy" and plan.sync == "fsync" and not way.can_sync:
        return "it has no descriptor to sync before the copy is closed"
    return None
