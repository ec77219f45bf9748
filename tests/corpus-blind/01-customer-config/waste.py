#!/usr/bin/env python3
"""Loads the relay settings of every customer named in customers.txt."""
import os

DEFAULTS = {"host": "localhost", "port": "25", "quota": "100"}


def load(path):
    settings = dict(DEFAULTS)
    if not os.path.exists(path):
        return settings
    with open(path) as f:
        lines = f.readlines()
    for line in lines:
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        key, _, value = line.partition("=")
        settings[key.strip()] = value.strip()
    return settings


def main():
    total = defaults = 0
    with open("customers.txt") as f:
        customers = f.read().split()
    for number in customers:
        s = load(os.path.join("conf.d", "cust-%s.ini" % number))
        total += int(s["quota"])
        defaults += s["host"] == "localhost"
    print("customers %d, quota %d, on defaults %d" % (len(customers), total, defaults))


main()
