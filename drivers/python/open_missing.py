"""open-missing: open a file for reading that does not exist, which is right."""

import errno
import io
import os
import pathlib


def open_rb(path, _):
    try:
        with open(path, "rb"):
            raise found(path)
    except FileNotFoundError:
        pass


def open_r(path, _):
    try:
        with open(path, "r", encoding="latin-1"):
            raise found(path)
    except FileNotFoundError:
        pass


def open_rb_unbuffered(path, _):
    try:
        with open(path, "rb", buffering=0):
            raise found(path)
    except FileNotFoundError:
        pass


def path_open(path, _):
    try:
        with pathlib.Path(path).open("rb"):
            raise found(path)
    except FileNotFoundError:
        pass


def os_open(path, _):
    try:
        fd = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return
    os.close(fd)
    raise found(path)


def file_io(path, _):
    try:
        with io.FileIO(path):
            raise found(path)
    except FileNotFoundError:
        pass


def found(path):
    return FileExistsError(errno.EEXIST, "the file is there", path)
