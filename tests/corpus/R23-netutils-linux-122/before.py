"""Adds up the interrupts of sixteen queues, reading the table for each queue."""

import os


def read_table():
    file = os.open("interrupts", os.O_RDONLY)
    text = os.read(file, 65536).decode()
    os.close(file)
    return {line.split()[-1]: int(line.split()[1]) for line in text.splitlines()}


print("interrupts:", sum(read_table()[f"eth0-{queue}"] for queue in range(16)))
