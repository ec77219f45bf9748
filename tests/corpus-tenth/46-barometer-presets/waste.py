"""Calibrates the barometers of a weather service: new offsets go into the station presets."""
import os


def read_readings(path):
    readings = {}
    with open(path) as f:
        for line in f:
            station, shown, true = line.split()
            readings[station] = float(true) - float(shown)
    return readings


def calibrate(path, offset):
    old = open(path)
    new = open(path + ".new", "w")
    try:
        for line in old:
            key, _, value = line.rstrip("\n").partition("=")
            if key == "offset":
                value = f"{float(value) + offset:.1f}"
            new.write(f"{key}={value}\n")
        new.flush()
        os.fsync(old.fileno())
    finally:
        new.close()
        old.close()
    os.rename(path + ".new", path)


def sync_directory(path):
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def main():
    offsets = read_readings("readings.txt")
    for station, offset in sorted(offsets.items()):
        calibrate(f"presets/st{station}.conf", offset)
    sync_directory("presets")
    print(f"{len(offsets)} stations calibrated")
    worst = max(offsets, key=lambda s: (abs(offsets[s]), s))
    print(f"largest offset: station {worst} with {offsets[worst]:+.1f}")


if __name__ == "__main__":
    main()
