"""Playing time of a bird song collection, by sampling rate."""
import os

ENDINGS = (".flac", ".ogg", ".mp3", ".wav")


def list_clips():
    present = set(os.listdir("clips"))
    clips = {}
    for name in present:
        stem, ending = os.path.splitext(name)
        if ending in ENDINGS:
            clips.setdefault(stem, {})[ending] = os.path.join("clips", name)
    return clips


def find_clip(clips, species):
    found = clips.get(species, {})
    for ending in ENDINGS:
        if ending in found:
            return found[ending]
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
    clips = list_clips()
    for name in species:
        path = find_clip(clips, name)
        if path is None:
            silent.append(name)
            continue
        rate, length = header(path)
        seconds[rate] = seconds.get(rate, 0) + length
    for rate in sorted(seconds):
        print(f"{rate} Hz: {seconds[rate] // 60} min {seconds[rate] % 60} s")
    print(f"no clip of {', '.join(silent)}")


main()
