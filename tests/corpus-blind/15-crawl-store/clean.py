#!/usr/bin/env python3
"""Stores crawled pages by host."""
import os

HOSTS = 5


def fetch(number):
    host = "h%d" % (number % HOSTS)
    return host, "/page/%d" % number, "<html>%d</html>" % (number * number)


made = set()


def store(host, path, body):
    directory = os.path.join("store", host)
    if directory not in made:
        os.makedirs(directory, exist_ok=True)
        made.add(directory)
    name = path.strip("/").replace("/", "_") + ".html"
    with open(os.path.join(directory, name), "w") as out:
        out.write(body)
    return len(body)


def main():
    total = 0
    for number in range(200):
        total += store(*fetch(number))
    print("stored 200 pages, %d bytes, hosts %d" % (total, len(os.listdir("store"))))


main()
