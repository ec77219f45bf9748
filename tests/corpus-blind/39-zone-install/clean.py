#!/usr/bin/env python3
"""Installs new versions of the zones of a name server."""
import os


def write_zone(path, serial, hosts):
    with open(path, "w") as out:
        out.write("serial %d\n" % serial)
        for host in range(hosts):
            out.write("host%d A 10.0.0.%d\n" % (host, host))
        out.flush()
        os.fsync(out.fileno())


def install(number):
    final = os.path.join("zones", "%d.zone" % number)
    new = final + ".new"
    write_zone(new, 2, 20 + number)
    os.rename(new, final)


def sync_directory(path):
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def main():
    for number in range(4):
        install(number)
    sync_directory("zones")
    lines = 0
    for name in sorted(os.listdir("zones")):
        with open(os.path.join("zones", name)) as f:
            lines += len(f.readlines())
    print("zones 4, lines %d" % lines)


main()
