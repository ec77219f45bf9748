"""Which objects are older than their source or than one of the common headers?"""
import os
import sys

HEADERS = ["include/h%d.h" % i for i in range(1, 13)]
_times = {}


def mtime(path):
    if path not in _times:
        _times[path] = os.path.getmtime(path)
    return _times[path]


def newest_header():
    return max(mtime(h) for h in HEADERS)


def out_of_date(unit):
    obj = "obj/u%d.o" % unit
    src = "src/u%d.c" % unit
    made = os.path.getmtime(obj)
    return made < os.path.getmtime(src) or made < newest_header()


stale = [u for u in range(1, 41) if out_of_date(u)]
print("out of date:", *("u%d" % u for u in stale))
sys.exit(0)
