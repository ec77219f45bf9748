#!/usr/bin/env python3
"""Writes one letter per client into one print file."""
from string import Template


def template():
    with open("letter.txt") as f:
        return Template(f.read())


def clients():
    with open("clients.csv") as f:
        for line in f:
            name, balance = line.rstrip("\n").split(";")
            yield name, int(balance)


def main():
    letters = 0
    size = 0
    letter = template()
    with open("print.txt", "w") as out:
        for name, balance in clients():
            text = letter.substitute(name=name, balance=balance)
            out.write(text + "\f")
            letters += 1
            size += len(text)
    print("letters %d, characters %d" % (letters, size))


main()
