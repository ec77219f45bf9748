"""Notes who kept the beacons last night and how much oil is left."""
import json
import os
import sys

OIL_PER_NIGHT = 11


def load(path):
    with open(path) as f:
        return json.load(f)


def save(path, roster):
    with open(path + ".tmp", "w") as f:
        f.write(json.dumps(roster, indent=1, sort_keys=True) + "\n")
        f.flush()
        os.fsync(f.fileno())
    os.rename(path + ".tmp", path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def note(beacon, warden):
    path = os.path.join("rosters", beacon + ".json")
    roster = load(path)
    nights = roster["nights"]
    nights[warden] = nights.get(warden, 0) + 1
    roster["oil"] -= OIL_PER_NIGHT
    save(path, roster)
    return roster


def main():
    low = []
    nights = 0
    with open("tonight.txt") as f:
        watches = [line.split() for line in f]
    for beacon, warden in watches:
        roster = note(beacon, warden)
        nights += sum(roster["nights"].values())
        if roster["oil"] < 180:
            low.append(beacon)
        print(f"{beacon}: {warden}, oil {roster['oil']}")
    print(f"{nights} nights in all, low on oil: {' '.join(low)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
