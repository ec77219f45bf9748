# A test suite, script by script: alone and under a capture of Fathom's, result by result. Writes a row for each script and
# prints the sums. LINE is run by sh, with {test} the script and {folder} an empty folder of each run; RESULT finds a result
# in what it prints: group 1 is its state, group 2 its name. The exit code is always compared. Where the two differ, both
# are run twice again, to see what varies by itself.
#   python3 suite-under-hook.py --fathom FATHOM --out OUT.csv --line LINE [--result RESULT] [--jobs 2] [--limit 600] TEST...
# TAP (git): --result '^(ok|not ok) \d+(?: - )?(.*)'; SQLite: --result '^(?P<name>\S+)\.\.\. ?(?P<state>.*)'
import argparse, collections, csv, json, os, re, signal, struct, subprocess, tempfile, time
from concurrent.futures import ThreadPoolExecutor, as_completed

HOOKED = re.compile(r"(\d+) calls without a stop, (\d+) the slow way")


def last_frame(path):
    """The end frame of a file of events: how many events, how it was watched (docs/trace-format.md)."""
    with open(path, "rb") as file:
        file.seek(12)
        while True:
            head = file.read(13)
            if len(head) < 13:
                return {"events": "cut", "facts": []}
            packed = struct.unpack("<I", head[1:5])[0]
            if head[:1] == b"Z":
                return json.loads(subprocess.run(["zstd", "-dc"], input=file.read(packed), capture_output=True).stdout)
            file.seek(packed, 1)


def results(pattern, text):
    """How often each result of each name was had."""
    found = collections.Counter()
    for line in text.splitlines() if pattern else ():
        if match := pattern.match(line):
            named = match.groupdict()
            found[(named.get("name", match[2]).strip(), named.get("state", match[1]).strip())] += 1
    return found


def run(words, test, capture):
    """Exit code (as a shell tells it), results, seconds, and of a watched run its end frame."""
    with tempfile.TemporaryDirectory(prefix="suite-") as top:
        folder, kept = os.path.join(top, "work"), os.path.join(top, "calls.events")
        os.mkdir(folder)
        command = ["sh", "-c", words.line.format(test=test, folder=folder)]
        if capture:
            command = [words.fathom, "trace", "--progress", "never", "--capture", capture, "-o", kept, "--"] + command
        begun = time.monotonic()
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                code = process.wait(words.limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = "over the limit"
            took = time.monotonic() - begun
            printed.seek(0)
            text = printed.read().decode(errors="replace").replace(folder, "{folder}")
        if isinstance(code, int) and code < 0:
            code = 128 - code
        end = last_frame(kept) if capture and os.path.exists(kept) else {}
        subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=subprocess.DEVNULL)
        return code, results(words.result, text), took, end, text


def compare(words, test):
    alone, watched = [run(words, test, None)], [run(words, test, words.capture)]
    key = lambda one: (one[0], one[1])
    if key(alone[0]) != key(watched[0]) and "over the limit" not in (alone[0][0], watched[0][0]):
        for _ in range(2):
            alone.append(run(words, test, None))
            watched.append(run(words, test, words.capture))
    keys = [key(one) for one in alone]
    if "over the limit" in [one[0] for one in alone + watched]:
        verdict = "not compared: over the limit"
    elif key(alone[0]) == key(watched[0]):
        verdict = "same"
    elif any(one != keys[0] for one in keys):
        verdict = "varies alone"
    elif any(key(one) in keys for one in watched):
        verdict = "DIFFERED, not always"
    else:
        verdict = "DIFFERS"
    changed = sorted({name for name, _ in (alone[0][1] - watched[0][1]) + (watched[0][1] - alone[0][1])})
    if words.keep and verdict != "same":
        for name, one in [("alone", alone[0])] + [(f"watched-{at}", one) for at, one in enumerate(watched)]:
            with open(os.path.join(words.keep, f"{os.path.basename(test)}.{name}"), "w") as file:
                file.write(one[4])
    code, found, took, _, _ = alone[0]
    end = watched[0][3]
    said = HOOKED.search(" ".join(fact["text"] for fact in end.get("facts", ())))
    return [test, verdict, sum(found.values()), code, watched[0][0], end.get("events", "none"), *(said.groups() if said else ("", "")),
            f"{took:.2f}", f"{watched[0][2]:.2f}", len(alone), "; ".join(changed)[:400]]


COLUMNS = ["test", "verdict", "results", "exit alone", "exit watched", "events", "calls without a stop", "calls with a stop",
           "s alone", "s watched", "runs of each", "results that differ in the first run"]


def main():
    parser = argparse.ArgumentParser()
    for name in ("fathom", "out", "line"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--result", type=lambda text: re.compile(text))
    parser.add_argument("--capture", default="hook")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=float, default=600)
    parser.add_argument("--keep", help="a folder for what scripts print that differ")
    parser.add_argument("tests", nargs="+")
    words = parser.parse_args()
    words.fathom = os.path.abspath(words.fathom)
    rows = []
    with open(words.out, "w", newline="") as file, ThreadPoolExecutor(words.jobs) as pool:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for done in as_completed([pool.submit(compare, words, test) for test in words.tests]):
            rows.append(done.result())
            writer.writerow(rows[-1])
            file.flush()
    counts = collections.Counter(row[1] for row in rows)
    hooked = [sum(int(row[at] or 0) for row in rows) for at in (6, 7)]
    print(f"{len(rows)} scripts, {sum(row[2] for row in rows)} results: {dict(counts)}; {hooked[0]} calls without a stop, {hooked[1]} with one")


main()
