#!/usr/bin/env python3
"""Collects the static assets of a web site from its applications."""
import os

APPS = ["app1", "app2", "app3", "app4", "app5"]
catalogue = {}


def fill_catalogue():
    for app in reversed(APPS):
        for name in os.listdir(os.path.join(app, "static")):
            catalogue[name] = os.path.join(app, "static", name)


def find(name):
    if not catalogue:
        fill_catalogue()
    return catalogue.get(name)


def main():
    bundle = []
    missing = 0
    for number in range(80):
        path = find("s%d.css" % number)
        if path is None:
            missing += 1
            continue
        with open(path) as f:
            bundle.append(f.read())
    text = "".join(bundle)
    with open("bundle.css", "w") as f:
        f.write(text)
    print("bundled %d files, %d bytes, missing %d" % (len(bundle), len(text), missing))


main()
