"""Counts the words of a collection of nursery rhymes for a spelling book."""
import os
import re
from collections import Counter

WORD = re.compile(r"[a-z]+")


def load(path):
    fd = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        data = b""
        while len(data) < size:
            piece = os.read(fd, size - len(data))
            if not piece:
                break
            data += piece
    finally:
        os.close(fd)
    return data.decode()


def hardness(word):
    doubled = sum(1 for a, b in zip(word, word[1:]) if a == b)
    return len(word) + 2 * doubled


def main():
    words = Counter()
    verses = 0
    for number in range(1, 51):
        text = load(f"rhymes/r{number}.txt")
        verses += text.count("\n")
        words.update(WORD.findall(text))

    ranked = sorted(words, key=lambda w: (-hardness(w), w))
    with open("spelling.txt", "w") as out:
        for word in ranked:
            out.write(f"{hardness(word):3d} {word} {words[word]}\n")

    print(f"{verses} verses, {sum(words.values())} words, {len(words)} different")
    print("hardest:", ", ".join(ranked[:3]))


if __name__ == "__main__":
    main()
