#!/usr/bin/env python3
"""Publishes a product catalogue with an index of byte positions."""
import os


def product(number):
    return '<product id="%d"><price>%d</price></product>\n' % (number, number * 19 % 500)


def publish(count):
    index = open("catalog.idx", "w")
    catalog = open("catalog.xml.tmp", "w")
    position = catalog.write("<catalog>\n")
    for number in range(count):
        index.write("%d %d\n" % (number, position))
        position += catalog.write(product(number))
    position += catalog.write("</catalog>\n")
    for f in (index, catalog):
        f.flush()
        os.fsync(f.fileno())
    index.close()
    catalog.close()
    os.replace("catalog.xml.tmp", "catalog.xml")
    directory = os.open(".", os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)
    return position


def main():
    size = publish(150)
    assert size == os.path.getsize("catalog.xml")
    print("catalogue of %d bytes" % size)


main()
