# What lines cost a program: loops of open and close of one file in C, Python and Node.js, alone and under builds of
# `fathom audit`, in random order in each turn. Writes a row for each run and prints the table of docs/OVERHEAD.md.
#   python3 overhead-lines.py TURNS OUT.csv NAME=path/to/fathom [NAME=another build]
import csv, os, random, statistics, subprocess, sys, tempfile

PYTHON = """import os, sys, time
path, pairs = sys.argv[1], int(sys.argv[2])
cpu, clock = time.process_time_ns(), time.perf_counter_ns()
for _ in range(pairs):
    os.close(os.open(path, os.O_RDONLY))
print((time.process_time_ns() - cpu) / pairs, (time.perf_counter_ns() - clock) / pairs)
"""
NODE = """const fs = require('fs');
const [path, pairs] = [process.argv[2], +process.argv[3]];
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) * 1000; };
const cpu = used(), clock = process.hrtime.bigint();
for (let pair = 0; pair < pairs; pair++) fs.closeSync(fs.openSync(path, 'r'));
console.log((used() - cpu) / pairs, Number(process.hrtime.bigint() - clock) / pairs);
"""
C = """#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double now(clockid_t which) { struct timespec t; clock_gettime(which, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
int main(int count, char **words) {
  int pairs = atoi(words[2]);
  double cpu = now(CLOCK_PROCESS_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
  for (int pair = 0; pair < pairs; pair++) close(open(words[1], O_RDONLY));
  printf("%f %f\\n", (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) / pairs, (now(CLOCK_MONOTONIC) - clock) / pairs);
}
"""


def main():
    turns, out, builds = int(sys.argv[1]), sys.argv[2], dict(word.split("=", 1) for word in sys.argv[3:])
    home = tempfile.mkdtemp()
    for name, text in [("file", "x"), ("loop.py", PYTHON), ("loop.js", NODE), ("loop.c", C)]:
        with open(f"{home}/{name}", "w") as file:
            file.write(text)
    subprocess.run(["cc", "-O2", "-o", f"{home}/loop", f"{home}/loop.c"], check=True)
    programs = {
        "C": ([f"{home}/loop"], 66000),
        "Python": (["/usr/bin/python3", f"{home}/loop.py"], 20000),
        "Node.js": (["/usr/bin/node", f"{home}/loop.js"], 20000),
    }
    arms = {"nobody": []}
    for name, build in builds.items():
        arms[f"ring, {name}"] = [build, "audit", "--no-config", "--capture", "ring"]
    last = list(builds.values())[-1]
    arms["ring, --no-lines"] = [last, "audit", "--no-config", "--capture", "ring", "--no-lines"]
    found, file = {}, open(out, "w", newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["turn", "program", "watched by", "ns by the clock", "ns of CPU", "load"])
    for turn in range(1, turns + 1):
        jobs = [(program, arm) for program in programs for arm in arms]
        random.shuffle(jobs)
        for program, arm in jobs:
            (words, pairs), before = programs[program], arms[arm]
            command = words + [f"{home}/file", str(pairs)]
            if before:
                command = before + ["-o", f"{home}/out", "--"] + command
            printed = subprocess.run(command, capture_output=True, text=True, cwd=home).stdout
            cpu, clock = (float(word) for word in printed.split()[:2])
            load = os.getloadavg()[0]
            writer.writerow([turn, program, arm, f"{clock:.1f}", f"{cpu:.1f}", f"{load:.1f}"])
            file.flush()
            found.setdefault((program, arm), []).append((cpu, clock))
    print("| program | watched by | ns of CPU | times, CPU | times, clock | n |\n|---|---|---:|---:|---:|---:|")
    for (program, arm), of in sorted(found.items(), key=lambda item: (list(programs).index(item[0][0]), list(arms).index(item[0][1]))):
        alone = found[program, "nobody"]
        texts = []
        for which in (0, 1):
            ratios = sorted(one[which] / other[which] for one, other in zip(of, alone))
            texts.append("–" if arm == "nobody" else f"{statistics.median(ratios):.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}]")
        print(f"| {program} | {arm} | {statistics.median(one[0] for one in of):.0f} | {texts[0]} | {texts[1]} | {len(of)} |")


main()
