"""open-close: open an existing file for reading and close it."""

import io
import os
import pathlib


def open_rb(path, _):
    with open(path, "rb"):
        pass


def open_r(path, _):
    with open(path, "r", encoding="latin-1"):
        pass


def open_rb_unbuffered(path, _):
    with open(path, "rb", buffering=0):
        pass


def path_open(path, _):
    with pathlib.Path(path).open("rb"):
        pass


def os_open(path, _):
    os.close(os.open(path, os.O_RDONLY))


def file_io(path, _):
    with io.FileIO(path):
        pass
