"""Brings the new soundings into the pilots' charts; each change is noted in the log."""
import json
import os
from collections import defaultdict
from pathlib import Path

CHARTS = Path("charts")


def soundings(path):
    found = defaultdict(list)
    with open(path) as lines:
        for line in lines:
            chart, depth = line.split()
            found[chart].append(int(depth))
    return found


def sync_folder(folder):
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def publish(name, chart, log):
    target = CHARTS / f"{name}.json"
    fresh = target.with_suffix(".tmp")
    with open(fresh, "w") as out:
        json.dump(chart, out, indent=1)
        out.flush()
        os.fsync(out.fileno())
    log.write(f"{name}: {len(chart['depths'])} depths\n")
    log.flush()
    os.fsync(log.fileno())
    fresh.replace(target)


def main():
    with open("changes.log", "w") as log:
        for name, depths in sorted(soundings("soundings.txt").items()):
            chart = json.loads((CHARTS / f"{name}.json").read_text())
            chart["depths"] = sorted(chart["depths"] + depths)
            chart["shallowest"] = chart["depths"][0]
            publish(name, chart, log)
            print(f"{name}: {len(depths)} new, shallowest {chart['shallowest']} m")
    sync_folder(CHARTS)
    print("charts published")


if __name__ == "__main__":
    main()
