#!/usr/bin/env python3
"""Runs the steps of a build and logs them."""
import os
import subprocess

STEPS = ["configure", "compile", "link"]


def open_log(path):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    return fd


def token(path):
    fd = os.open(path, os.O_RDONLY)
    return fd, os.read(fd, 100).split()[1].decode()


def main():
    log = open_log("build.log")
    credentials, value = token("credentials.txt")
    done = 0
    for step in STEPS:
        os.write(log, ("begin %s\n" % step).encode())
        result = subprocess.run(["/bin/true", step])
        done += result.returncode == 0
        os.write(log, ("end %s\n" % step).encode())
    os.close(credentials)
    os.close(log)
    print("steps %d, token of %d letters, log %d bytes" % (done, len(value), os.path.getsize("build.log")))


main()
