"""shards: worker processes score parts of a query list against one model.

Every worker is a program of its own and loads the model once."""
import json
import subprocess
import sys

WORKER = r"""
import json, sys
with open("model.json") as f:
    weights = json.load(f)["weights"]
total = 0
n = 0
for line in sys.stdin:
    total += sum(weights.get(w, 0) for w in line.split())
    n += 1
print(json.dumps({"n": n, "total": total}))
"""


def queries(path):
    with open(path) as f:
        return f.readlines()


def shard(lines, k, n):
    return "".join(lines[k::n])


def main():
    lines = queries("queries.txt")
    workers = 4
    running = []
    for k in range(workers):
        p = subprocess.Popen([sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        running.append((k, p))
    n = total = 0
    for k, p in running:
        out, _ = p.communicate(shard(lines, k, workers))
        if p.returncode:
            print("worker", k, "failed", file=sys.stderr)
            return 1
        part = json.loads(out)
        n += part["n"]
        total += part["total"]
    print(f"{n} queries, score {total}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
