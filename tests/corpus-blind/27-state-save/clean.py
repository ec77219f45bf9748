#!/usr/bin/env python3
"""A feed reader that remembers the entries it has shown."""
import json
import os

STATE = "state.json"


def load():
    with open(STATE) as f:
        return json.load(f)


def save(state):
    tmp = STATE + ".tmp"
    with open(tmp, "w") as f:
        json.dump(state, f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(tmp, STATE)
    directory = os.open(".", os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)


def poll(state, feed):
    fresh = [entry for entry in feed if entry not in state["seen"]]
    state["seen"].extend(fresh)
    state["runs"] += 1
    save(state)
    return fresh


def main():
    shown = 0
    state = load()
    for day in range(3):
        feed = ["entry-%d" % n for n in range(day * 4, day * 4 + 10)]
        shown += len(poll(state, feed))
    print("shown %d entries in %d runs" % (shown, load()["runs"]))


main()
