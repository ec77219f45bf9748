"""Adds up the interrupts of sixteen queues that have a file each: all are opened once."""

import os


def read_table(name):
    file = os.open(name, os.O_RDONLY)
    text = os.read(file, 65536).decode()
    os.close(file)
    return int(text.split()[1])


print("interrupts:", sum(read_table(f"table-{queue}") for queue in range(16)))
