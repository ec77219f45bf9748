"""Lists the sound archive: number, minutes and note of each reel, from the fixed head of its file."""
import collections
import os

Head = collections.namedtuple("Head", "number minutes note")


def read_head(directory_fd, name):
    fd = os.open(name, os.O_RDONLY | os.O_NOATIME, dir_fd=directory_fd)
    try:
        raw = os.pread(fd, 70, 0)
    finally:
        os.close(fd)
    if raw[:4] != b"REEL":
        return None
    return Head(int(raw[4:8]), int(raw[8:10]), raw[10:70].decode("ascii").strip())


def reels(directory):
    dfd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for name in sorted(os.listdir(dfd)):
            if name.endswith(".dat"):
                head = read_head(dfd, name)
                if head is not None:
                    yield head
    finally:
        os.close(dfd)


def main():
    total = 0
    by_length = collections.defaultdict(list)
    for head in reels("reels"):
        total += head.minutes
        by_length[head.minutes // 10].append(head.number)
    for tens, numbers in sorted(by_length.items()):
        print(f"{tens * 10:2d} minutes and more: {len(numbers)} reels, last {max(numbers)}")
    print("minutes in all:", total)


if __name__ == "__main__":
    main()
