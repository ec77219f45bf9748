"""lines: hand every line of a file to the program, in order.

The loop over the lines, which takes off each newline, is in job.py: it is the
same for all.
"""

import mmap


def for_line_in_open_rb(path, job):
    with open(path, "rb") as file:
        job.take_lines(file)


def for_line_in_open_r(path, job):
    # newline="\n": only that ends a line, as in the other methods.
    with open(path, "r", encoding="latin-1", newline="\n") as file:
        job.take_text_lines(file)


def readlines(path, job):
    with open(path, "rb") as file:
        job.take_lines(file.readlines())


def map_readline(path, job):
    with open(path, "rb") as file:
        try:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            return  # "cannot mmap an empty file"
        with mapping:
            job.take_lines(iter(mapping.readline, b""))
