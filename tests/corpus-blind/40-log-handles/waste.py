#!/usr/bin/env python3
"""Runs jobs that write into one log, each through a handle of its own."""
import os


class Job:
    def __init__(self, number, log):
        self.number = number
        self.log = os.dup(log)

    def say(self, text):
        os.write(self.log, ("job %d: %s\n" % (self.number, text)).encode())

    def run(self):
        self.say("starts")
        result = sum(n * n for n in range(self.number)) % 97
        self.say("gives %d" % result)
        return result


def main():
    log = os.open("jobs.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    total = 0
    for number in range(70):
        job = Job(number, log)
        total += job.run()
    size = os.fstat(log).st_size
    os.close(log)
    print("jobs 70, total %d, log %d bytes" % (total, size))


main()
