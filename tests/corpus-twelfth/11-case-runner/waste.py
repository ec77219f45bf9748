"""Run the text-filter cases of a suite and compare what each prints."""
import contextlib
import json
import os
import sys
import tempfile
import zlib

WORK = "work"


def upper(text):
    print("UPPER", text.strip().upper())


def rev(text):
    for word in text.split():
        print("rev", word[::-1])


def count(text):
    print("words", len(text.split()), "chars", len(text))


OPS = {"upper": upper, "rev": rev, "count": count}


def captured(func, *args):
    """What func prints."""
    fd, path = tempfile.mkstemp(prefix="out-", dir=WORK)
    try:
        with os.fdopen(fd, "w", encoding="utf-8") as f:
            with contextlib.redirect_stdout(f):
                func(*args)
        with open(path, encoding="utf-8") as f:
            return f.read()
    finally:
        os.unlink(path)


def run(case):
    """Gives (passed, output) for one case."""
    try:
        out = captured(OPS[case["op"]], case["text"])
    except Exception as exc:  # a broken case is a failed case
        return False, str(exc)
    first = out.split(" ", 1)[0].lower()
    wanted = {"upper": "upper", "rev": "rev", "count": "words"}[case["op"]]
    return first == wanted, out


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        cases = json.load(f)
    failed = []
    digest = 0
    for case in cases:
        ok, out = run(case)
        digest = zlib.crc32(out.encode(), digest)
        if not ok:
            failed.append(case["name"])
    print(f"{len(cases)} cases, {len(failed)} failed, digest {digest:08x}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
