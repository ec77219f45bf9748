"""Playing time of a bird song collection, by sampling rate."""
import os

ENDINGS = (".flac", ".ogg", ".mp3", ".wav")


def find_clip(species):
    for ending in ENDINGS:
        path = os.path.join("clips", species + ending)
        if os.path.exists(path):
            return path
    return None


def header(path):
    with open(path) as clip:
        words = clip.readline().split()
    return int(words[2]), int(words[4])


def main():
    with open("species.txt") as lines:
        species = lines.read().split()
    seconds = {}
    silent = []
    for name in species:
        path = find_clip(name)
        if path is None:
            silent.append(name)
            continue
        rate, length = header(path)
        seconds[rate] = seconds.get(rate, 0) + length
    for rate in sorted(seconds):
        print(f"{rate} Hz: {seconds[rate] // 60} min {seconds[rate] % 60} s")
    print(f"no clip of {', '.join(silent)}")


main()
