#!/usr/bin/env -S python3 -I -S
"""The entry of the driver: `describe` or `run`, and the exit codes. It does not
know what a method does.

-I and -S keep the user's environment and site packages out of the process.
"""

import os
import sys

# No cache beside the sources; and -I leaves out the folder of the program itself.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from arguments import ArgumentsError, parse_arguments
from failure import UnsupportedError
from methods import METHODS
from session import Session

EXIT_DONE = 0
EXIT_USAGE = 2
EXIT_UNSUPPORTED = 77

USAGE = "usage: driver.py describe | driver.py run --operation NAME --method NAME --path FILE …"


def main(words):
    # Paths are bytes, as they are to the kernel; they come back as they came in.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        if words == ["describe"]:
            describe()
        elif words[:1] == ["run"]:
            Session(parse_arguments(words[1:])).obey(sys.stdin, sys.stdout)
        else:
            raise ArgumentsError(USAGE)
    except ArgumentsError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_USAGE
    except UnsupportedError as error:
        print(f"not supported: {error}", file=sys.stderr)
        return EXIT_UNSUPPORTED
    return EXIT_DONE


def describe():
    import json

    methods = []
    for method in METHODS:
        entry = {"name": method.name, "operations": list(method.operations), "does": method.does}
        if method.unavailable:
            entry["unavailable"] = method.unavailable
        methods.append(entry)
    answer = {"protocol": 1, "driver": "python", "language": "Python", "runtime": runtime(), "methods": methods}
    print(json.dumps(answer, indent=1))


def runtime():
    import platform

    threading = " free-threading" if "free-threading" in sys.version else ""
    return f"{platform.python_implementation()} {platform.python_version()}{threading}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
