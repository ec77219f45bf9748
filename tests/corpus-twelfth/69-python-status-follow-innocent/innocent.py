#!/usr/bin/env python3
"""Follows the status file of a build: a second process publishes a new version
(write aside, rename) and rings a bell through a pipe; the follower then reads it."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
STATUS = os.path.join(HERE, "out", "status.json")
STEPS = 260


def publish(step):
    aside = STATUS + ".new"
    with open(aside, "w") as f:
        json.dump({"step": step, "of": STEPS, "checksum": step * step % 1009}, f)
    os.rename(aside, STATUS)


def builder(bell, answer):
    for step in range(1, STEPS + 1):
        publish(step)
        os.write(bell, b"!")
        os.read(answer, 1)
    os._exit(0)


def read_status():
    with open(STATUS) as f:
        return json.load(f)


def main():
    os.makedirs(os.path.dirname(STATUS), exist_ok=True)
    bell_r, bell_w = os.pipe()
    answer_r, answer_w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(bell_r)
        builder(bell_w, answer_r)
    os.close(bell_w)
    seen, total = [], 0
    while os.read(bell_r, 1):
        status = read_status()
        seen.append(status["step"])
        total += status["checksum"]
        os.write(answer_w, b"k")
        if status["step"] == status["of"]:
            break
    os.waitpid(pid, 0)
    assert seen == list(range(1, STEPS + 1))
    print(f"{len(seen)} versions seen, checksum {total}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
