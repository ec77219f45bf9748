#!/usr/bin/env -S python3 -I -S
"""The entry of the driver: `describe` or `run`, and the exit codes.

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


def main(words):
    # Paths are bytes, as they are to the kernel; they come back as they came in.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        if words == ["describe"]:
            describe()
        elif words[:1] == ["run"]:
            Session(parse_arguments(words[1:])).obey()
        else:
            raise ArgumentsError("usage: driver.py describe | driver.py run --operation NAME --method NAME --path FILE …")
    # A list of paths or a file of latencies that cannot be opened.
    except (ArgumentsError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except UnsupportedError as error:
        print(f"not supported: {error}", file=sys.stderr)
        return 77
    return 0


def describe():
    import json
    import platform

    threading = " free-threading" if "free-threading" in sys.version else ""
    runtime = f"{platform.python_implementation()} {platform.python_version()}{threading}"
    methods = [method.described() for method in METHODS]
    print(json.dumps({"protocol": 1, "driver": "python", "language": "Python", "runtime": runtime, "methods": methods}, indent=1))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
