#!/usr/bin/env python3
"""Serves pages from theme parts; a site may override parts in theme/local."""
import json

PARTS = ["header", "footer", "menu", "page", "list", "form"]
base = {}
overrides = {}


def read_json(path):
    with open(path) as f:
        return json.load(f)


def override(part):
    if part in overrides:
        return overrides[part]
    try:
        found = read_json("theme/local/%s.json" % part)
    except FileNotFoundError:
        found = {}
    overrides[part] = found
    return found


def part_settings(part):
    if part not in base:
        base[part] = read_json("theme/base/%s.json" % part)
    return {**base[part], **override(part)}


def render(number):
    width = 0
    for part in PARTS:
        width += part_settings(part)["width"]
    return "page %d: width %d" % (number, width)


def main():
    pages = [render(number) for number in range(40)]
    print(len(pages), "pages;", pages[-1])


main()
