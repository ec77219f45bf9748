#!/usr/bin/env python3
"""Makes the icon map of a web application."""
import os


listing = sorted(os.listdir("icons"))


def variants(name):
    """All resolutions of an icon."""
    found = []
    for entry in listing:
        base, _, rest = entry.partition("@")
        if base == name:
            found.append(rest.split("x")[0])
    return found


def main():
    css = []
    missing = 0
    for number in range(30, 150):
        name = "icon-%d" % number
        scales = variants(name)
        if not scales:
            missing += 1
            continue
        css.append(".%s { background: url(icons/%s@%sx.png) }" % (name, name, scales[-1]))
    with open("icons.css", "w") as out:
        out.write("\n".join(css) + "\n")
    print("icons %d, missing %d" % (len(css), missing))


main()
