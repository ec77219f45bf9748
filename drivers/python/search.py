"""search: count the occurrences of a word in a file.

With several threads each has its stretch of the file and counts what begins
there. They take turns: only reading is done without the GIL.
"""

import mmap
import sys
from itertools import repeat


def read_count(path, job):
    if job.threads > 1:
        job.take_matches(job.sizes[path], count_shared(job, count_chunks_between, path, job.sizes[path]))
        return
    with open(path, "rb") as file:
        job.take_matches(*count_chunks(file, sys.maxsize, job))


def count_chunks_between(path, start, end, job):
    with open(path, "rb") as file:
        file.seek(start)
        # What begins before the end may reach over it.
        _, matches = count_chunks(file, end - start + len(job.word) - 1, job)
    return matches


def count_chunks(file, left, job):
    """The bytes and the matches of as many as are left, read in chunks."""
    word = job.word
    overlap = len(word) - 1
    size = matches = 0
    tail = b""
    while chunk := file.read(min(job.block, left)):
        left -= len(chunk)
        size += len(chunk)
        data = tail + chunk
        matches += data.count(word)
        tail = data[max(0, len(data) - overlap) :]
    return size, matches


def map_find(path, job):
    with open(path, "rb") as file:
        try:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # "cannot mmap an empty file"
            job.take_matches(0, 0)
            return
        with mapping:
            if job.threads > 1:
                matches = count_shared(job, count_found, mapping, len(mapping))
            else:
                matches = count_found(mapping, 0, len(mapping), job)
            job.take_matches(len(mapping), matches)


def count_found(mapping, start, end, job):
    word = job.word
    end += len(word) - 1
    matches = 0
    position = mapping.find(word, start, end)
    while position >= 0:
        matches += 1
        position = mapping.find(word, position + len(word), end)
    return matches


def for_line_count(path, job):
    if job.threads > 1:
        matches = count_shared(job, count_lines_between, path, job.sizes[path])
    else:
        matches = 0
        with open(path, "rb") as file:
            for line in file:
                matches += line.count(job.word)
    # The size as known: adding up the lines would cost what the search does not.
    job.take_matches(job.sizes[path], matches)


def count_lines_between(path, start, end, job):
    """Counts in the lines that begin in this stretch."""
    matches = 0
    with open(path, "rb") as file:
        if start > 0:
            file.seek(start - 1)
            start += len(file.readline()) - 1
        for line in file:
            if start >= end:
                break
            matches += line.count(job.word)
            start += len(line)
    return matches


def count_shared(job, count, source, size):
    """Counts in equal stretches of the source, each in a thread of its own."""
    from concurrent.futures import ThreadPoolExecutor

    bounds = [size * number // job.threads for number in range(job.threads + 1)]
    with ThreadPoolExecutor(job.threads) as pool:
        return sum(pool.map(count, repeat(source), bounds, bounds[1:], repeat(job)))
