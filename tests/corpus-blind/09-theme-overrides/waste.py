#!/usr/bin/env python3
"""Serves pages from theme parts; a site may override parts in theme/local."""
import json

PARTS = ["header", "footer", "menu", "page", "list", "form"]
base = {}


def read_json(path):
    with open(path) as f:
        return json.load(f)


def override(part):
    try:
        return read_json("theme/local/%s.json" % part)
    except FileNotFoundError:
        return {}


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
