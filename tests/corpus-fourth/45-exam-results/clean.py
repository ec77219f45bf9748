"""Stores the results of examinations; whoever is told "stored" may throw the paper away."""
import json
import os


def store(directory, name, record):
    path = os.path.join(directory, name)
    with open(path + ".tmp", "w") as f:
        json.dump(record, f)
        f.flush()
        os.fsync(f.fileno())
    os.rename(path + ".tmp", path)
    d = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(d)
    os.close(d)


for candidate in range(1001, 1009):
    store("results", f"{candidate}.json", {"candidate": candidate, "points": candidate * 7 % 60})
    print(candidate, "stored")
