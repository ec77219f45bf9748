# What `fathom top` takes, and what it adds to the programs that it counts: C loops of open and close of one file, held to
# a rate by sleeping between bursts, alone and counted, in random order within each turn. Writes a row for each run and
# prints the table of docs/OVERHEAD.md.
#   python3 top-load.py TURNS SECONDS CALLS_A_SECOND PROGRAMS OUT.csv NAME=path/to/fathom [NAME=another build]
import csv, os, random, resource, signal, statistics, subprocess, sys, tempfile, time, json

C = r"""#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static long long now(clockid_t which) { struct timespec t; clock_gettime(which, &t); return t.tv_sec * 1000000000LL + t.tv_nsec; }
int main(int count, char **words) {
  long pairs = atol(words[2]), burst = atol(words[3]), done = 0;
  long long step = atoll(words[4]), begun = now(CLOCK_MONOTONIC), next = begun;
  while (done < pairs) {
    for (long one = 0; one < burst && done < pairs; one++, done++) close(open(words[1], O_RDONLY));
    next += step;
    struct timespec at = { next / 1000000000LL, next % 1000000000LL };
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, 0) == EINTR) {}
  }
  printf("%lld %lld\n", now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC) - begun);
}
"""
STEP_NS = 2_000_000


def run(home, file, seconds, rate, programs, build):
    """CPU ns of the loops and of `fathom top`, seconds, and what it counted."""
    top = None
    if build:
        words = [build, "top", "--all", "--interval", "1", "--format", "json"]
        top = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=home)
        # It says that it counts.
        top.stderr.readline()
    begun = time.monotonic()
    used_before = own_cpu(top)
    pairs = rate // 2 // programs
    burst = pairs * STEP_NS // 1_000_000_000
    words = [f"{home}/loop", file, str(pairs * seconds), str(burst), str(STEP_NS)]
    loops = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(programs)]
    printed = [loop.communicate()[0].split() for loop in loops]
    took = max(int(clock) for _, clock in printed) / 1e9
    cpu = sum(int(cpu) for cpu, _ in printed)
    if not top:
        return cpu, took, None, None, None, None
    elapsed, used = time.monotonic() - begun, own_cpu(top) - used_before
    top.send_signal(signal.SIGINT)
    counted = json.loads(top.communicate()[0])
    numbers = {loop.pid for loop in loops}
    rows = [row for row in counted["rows"] if row["process"] in numbers]
    ours = sum(row["calls"] for row in rows if row["call"] in ("open", "openat", "close"))
    # Of the C library's loader there is an open and a close of each file that it maps.
    assert ours >= 2 * pairs * seconds * programs or counted["uncounted"], (ours, pairs * seconds * programs)
    return cpu, took, used, elapsed, counted["uncounted"], sum(row["calls"] for row in counted["rows"])


def own_cpu(process):
    """In ns, of all its threads: `/proc/PID/schedstat` is of the first alone."""
    if not process:
        return 0
    tasks = f"/proc/{process.pid}/task"
    return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0]) for task in os.listdir(tasks))


def main():
    turns, seconds, rate, programs = (int(word) for word in sys.argv[1:5])
    out, builds = sys.argv[5], dict(word.split("=", 1) for word in sys.argv[6:])
    home = tempfile.mkdtemp()
    open(f"{home}/loop.c", "w").write(C)
    file = f"{home}/file"
    open(file, "w").write("x")
    subprocess.run(["cc", "-O2", "-o", f"{home}/loop", f"{home}/loop.c"], check=True)
    arms, found = [None, *builds], {}
    table = open(out, "w", newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["turn", "counted by", "s", "calls", "ns of CPU of the loops", "ns of CPU of top", "s of top",
                     "uncounted", "all counted", "load"])
    calls = rate // 2 // programs * programs * 2 * seconds
    for turn in range(1, turns + 1):
        random.shuffle(arms)
        for arm in arms:
            one = run(home, file, seconds, rate, programs, builds.get(arm))
            cpu, took, used, elapsed, uncounted, counted = one
            writer.writerow([turn, arm or "nobody", f"{took:.3f}", calls, cpu, used, elapsed and f"{elapsed:.3f}",
                             uncounted, counted, f"{os.getloadavg()[0]:.1f}"])
            table.flush()
            found.setdefault(arm, []).append(one)
    print("| counted by | calls/s | loops, ns of CPU a call | added to a call, ns | in the kernel, % of a CPU | `fathom top`, % of a CPU | together, % | uncounted | n |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for arm in [None, *builds]:
        of = found[arm]
        spread = lambda values, form: f"{statistics.median(values):{form}} [{min(values):{form}}, {max(values):{form}}]"
        rates = [calls / one[1] for one in of]
        each = [one[0] / calls for one in of]
        if not arm:
            print(f"| nobody | {statistics.median(rates):.0f} | {spread(each, '.0f')} | – | – | – | – | – | {len(of)} |")
            continue
        added = [(one[0] - alone[0]) / calls for one, alone in zip(of, found[None])]
        # As the share of one CPU at the rate that was asked for.
        kernel = [ns * rate / 1e7 for ns in added]
        own = [one[2] / one[3] / 1e7 for one in of]
        both = [one + other for one, other in zip(kernel, own)]
        print(f"| {arm} | {statistics.median(rates):.0f} | {spread(each, '.0f')} | {spread(added, '.0f')} | {spread(kernel, '.1f')} | "
              f"{spread(own, '.2f')} | {spread(both, '.1f')} | {sum(one[4] for one in of)} | {len(of)} |")


main()
