"""open-write-close: open an existing file for writing and close it."""

import os


def open_r_plus_b(path, _):
    with open(path, "r+b"):
        pass


def open_wb(path, _):
    with open(path, "wb"):
        pass


def open_ab(path, _):
    with open(path, "ab"):
        pass


def os_open_wronly(path, _):
    os.close(os.open(path, os.O_WRONLY))
