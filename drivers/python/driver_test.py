"""Tests of the driver: every method against bytes known beforehand, the
conversation, and the calls that methods make.

python3 -m unittest driver_test, or FATHOM_PYTHON=… to try another interpreter.
"""

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zlib
from collections import Counter

FOLDER = os.path.dirname(os.path.realpath(__file__))
COMMAND = [os.environ.get("FATHOM_PYTHON", sys.executable), "-I", "-S", os.path.join(FOLDER, "driver.py")]
MASK = 2**64 - 1


def described():
    return json.loads(subprocess.run(COMMAND + ["describe"], check=True, capture_output=True).stdout)


METHODS = described()["methods"]
# What these tests are about; driver_write_test.py has the others.
HERE = (
    "null", "open-close", "open-write-close", "open-read-close", "read-whole", "read-block", "lines", "search", "hash",
)


def pairs(*operations):
    """Methods that can run here, with each of these operations, or of those that
    are tested in this file.
    """
    for method in METHODS:
        for operation in method["operations"]:
            if "unavailable" not in method and (operation in operations if operations else operation in HERE):
                yield operation, method["name"]


def words(operation, method, paths, size, block=4096, **more):
    result = ["run", "--operation", operation]
    for name in [method] if isinstance(method, str) else method:
        result += ["--method", name]
    for path in paths:
        result += ["--path", path]
    result += ["--size", str(size), "--block", str(block)]
    for key, value in more.items():
        result += [f"--{key}"] + ([] if value is True else [str(value)])
    return result


def start(arguments, lines, before=()):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([*before, *COMMAND, *arguments], input=text, text=True, capture_output=True)


def converse(arguments, *lines):
    """The answers after `ready`."""
    done = start(arguments, lines)
    answers = done.stdout.splitlines()
    if done.returncode != 0 or done.stderr or answers[:1] != ["ready"]:
        raise AssertionError(f"exit {done.returncode}, {done.stdout!r}, {done.stderr!r}")
    return answers[1:]


def figure(answer, key):
    return int(re.search(rf"(?:^| ){key}=(\d+)", answer)[1])


def splitmix64(x):
    z = (x + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def offset_of(k, size, block, access, alignment, seed):
    if access == "random":
        r = splitmix64((seed + k) % 2**64)
        return r % (size // block) * block if alignment == "aligned" else r % (size - block + 1)
    if alignment == "aligned":
        return k % (size // block) * block
    return k % ((size - 1) // block) * block + 1


def answer_of(operation, data, block=4096, offset=0, word=b"ERROR"):
    """Bytes, digest, count and what verify speaks of, by the words of PROTOCOL.md."""
    if operation in ("null", "open-close", "open-write-close"):
        return 0, 0, None, b""
    if operation == "lines":
        lines = data.split(b"\n")
        if lines[-1] == b"":
            lines.pop()
        firsts = sum(line[0] for line in lines if line)
        return sum(map(len, lines)), firsts, len(lines), b"".join(line + b"\n" for line in lines)
    if operation == "search":
        count = len(re.findall(re.escape(word), data))
        return len(data), count, count, str(count).encode()
    if operation == "hash":
        md5 = hashlib.md5(data).digest()
        return len(data), int.from_bytes(md5[:8], "big"), None, md5
    if operation == "open-read-close":
        data = data[:block]
    if operation == "read-block":
        data = data[offset : offset + block]
    return len(data), sum(data[i] for i in range(0, len(data), 4096)), None, data


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.made = 0

    def file(self, data):
        self.made += 1
        path = os.path.join(self.folder, f"file {self.made}")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def check_done(self, what, answer, operation, answers):
        """One `done` line against the answers of its operations."""
        count = "lines" if operation == "lines" else "matches" if operation == "search" else None
        want = f"ops={len(answers)} bytes={sum(a[0] for a in answers)} digest={sum(a[1] for a in answers) & MASK}"
        if count:
            want += f" {count}={sum(a[2] for a in answers)}"
        got = re.sub(r" ns=\d+", "", answer)
        self.assertTrue((got + " ").startswith(f"done {want} "), f"{what}: {answer!r}, want {want!r}")

    def check(self, operation, method, contents, block=4096, **more):
        """Two methods of the same name over the files, everything that can be asked."""
        size = len(contents[0])
        paths = [self.file(data) for data in contents]
        what = f"{operation} {method} size={size} block={block} {more}"
        lines = ["batch 3 preroll=1", "batch 2 method=1", "verify method=1", "blocks 0:2:1 1:1:0", "release", "batch 2", "verify"]
        answers = converse(words(operation, [method, method], paths, size, block, **more), *lines)
        self.assertEqual(len(answers), 9, f"{what}: {answers}")
        order = {"access": "random", "alignment": "aligned", "seed": 1, **more}

        def operations(*numbers):
            result = []
            for k in numbers:
                offset = 0
                if operation == "read-block":
                    offset = offset_of(k, size, block, order["access"], order["alignment"], order["seed"])
                word = more.get("word", "ERROR").encode()
                result.append(answer_of(operation, contents[k % len(contents)], block, offset, word))
            return result

        for i, numbers in ((0, (1, 2, 3)), (1, (0, 1)), (3, (5, 6)), (4, (2,)), (7, (7, 8))):
            self.check_done(what, answers[i], operation, operations(*numbers))
        self.assertEqual((answers[5], answers[6]), ("end", "released"), what)
        size_0, _, _, spoken = operations(0)[0]
        for i in (2, 8):
            self.assertEqual(answers[i], f"verified bytes={size_0} crc32={zlib.crc32(spoken):08x}", what)


def noise(size, seed):
    return random.Random(seed).randbytes(size)


def text(size, seed):
    """Lines of all lengths, some empty, with carriage returns and words cut in pieces."""
    source = random.Random(seed)
    pieces = [b"ERROR", b"ERRO", b"R", b" ", b"EERROR", b"\n", b"\n\n", b"\r\n", b"\r", b"\xff\x00\x85", b"x" * 700]
    data = b""
    while len(data) < size:
        data += source.choice(pieces)
    return data[:size]


class Delivery(Files):
    def test_whole_files_of_any_size(self):
        for operation, method in pairs("read-whole", "open-read-close"):
            for size, block, buffer in (
                (0, 4096, "reused"), (0, 1, "fresh"), (1, 4096, "reused"), (12, 5, "fresh"), (4095, 4096, "fresh"), (4096, 4096, "reused"),
                (4097, 4096, "reused"), (10_000, 1000, "reused"), (70_001, 1000, "fresh"), (70_001, 65536, "reused"), (200_001, 4096, "reused"),
            ):
                self.check(operation, method, [noise(size, 1), noise(size, 2)], block, buffer=buffer)

    def test_blocks_in_any_order(self):
        for operation, method in pairs("read-block"):
            for access in ("random", "sequential"):
                for alignment in ("aligned", "unaligned"):
                    for block, buffer in ((1, "reused"), (1000, "fresh"), (4096, "reused"), (65536, "reused")):
                        contents = [noise(100_000, 1), noise(100_000, 2), noise(100_000, 3)]
                        self.check(
                            operation, method, contents, block, access=access, alignment=alignment, buffer=buffer, seed=2**64 - 2
                        )

    def test_lines_and_hashes(self):
        contents = [b"", b"\n", b"a", b"a\n", b"\na", b"\r\n\r", b"a\rb\n\n\nc", text(4096, 1), text(100_003, 2), noise(70_001, 3), b"y" * 300_000]
        for operation, method in pairs("lines", "hash"):
            for data in contents:
                self.check(operation, method, [data], 7 if len(data) < 5000 else 65536)
            self.check(operation, method, [text(5000, 4), text(5000, 5)])

    def test_searches_with_any_number_of_threads(self):
        contents = [b"", b"ERROR", b"ERRO", b"ERRORERROR", b"\nERROR\n", text(4099, 1), text(100_003, 2), b"z" * 150_000 + b"ERROR" + b"z" * 50_000]
        for operation, method in pairs("search"):
            for data in contents:
                small = len(data) < 5000
                for threads, block in ((1, 3 if small else 1000), (1, 65536), (2, 65536), (7, 1 if small else 1000)):
                    self.check(operation, method, [data], block, threads=threads)
            for word in ("R", "ER", "x", "absent"):
                self.check(operation, method, [text(5000, 4), text(5000, 5)], 1000, threads=2, word=word)

    def test_every_cut_between_threads(self):
        for size in range(5, 60, 3):
            data = (b"ab\nERROR" * 8)[:size]
            for method in ("read+bytes.count", "mmap+find", "for-line-in-open+rb+count"):
                answer = converse(words("search", method, [self.file(data)], size, 2, threads=5), "batch 1")[0]
                self.assertEqual(figure(answer, "matches"), data.count(b"ERROR"), f"{method} {data}")

    def test_operations_without_data(self):
        for operation, method in pairs("null", "open-close", "open-write-close"):
            self.check(operation, method, [b"", b""])

    def test_only_truncating_truncates(self):
        for operation, method in pairs("open-write-close"):
            path = self.file(b"data")
            converse(words(operation, method, [path], 4), "batch 2")
            self.assertEqual(os.path.getsize(path), 0 if method == "open+wb" else 4, method)

    def test_published_splitmix64(self):
        self.assertEqual(splitmix64(1234567), 6457827717110365317)


class Conversation(Files):
    def test_describe_lists_what_driver_toml_lists(self):
        with open(os.path.join(FOLDER, "driver.toml"), encoding="utf-8") as file:
            entries = file.read().split("[[methods]]\n")[1:]
        listed = [{key: json.loads(value) for key, value in re.findall(r"(?m)^(\w+) = (.*)$", entry)} for entry in entries]
        self.assertEqual([{k: v for k, v in m.items() if k != "unavailable"} for m in METHODS], listed)

    def test_a_missing_file_is_an_error_and_the_driver_goes_on(self):
        missing = os.path.join(self.folder, "no such file")
        for operation, method in pairs():
            if operation == "null" or method == "null" and operation.endswith("-close") and operation != "open-read-close":
                continue
            want = f"error op=open errno=ENOENT path={missing}"
            answers = converse(words(operation, method, [missing], 8192), "batch 2", "blocks 0:1:0 0:1:0", "verify", "release")
            self.assertEqual(answers, [want, want, want, "released"], f"{operation} {method}")
            self.assertFalse(os.path.exists(missing), f"{operation} {method} made it")

    def test_an_error_ends_a_schedule(self):
        good, missing = self.file(b"x" * 10), os.path.join(self.folder, "none")
        for method in ("open+rb", "open+r"):
            answers = converse(words("open-close", method, [good, missing], 10), "blocks 0:1:0 0:1:0 0:1:0", "batch 1", "batch 1")
            self.assertRegex(answers[0], "^done ops=1 ")
            self.assertEqual(answers[1], f"error op=open errno=ENOENT path={missing}")
            self.assertRegex(answers[2], "^done ops=1 ")
            self.assertEqual(answers[3], answers[1])

    def test_a_short_file_is_an_error(self):
        path = self.file(noise(5000, 1))
        for method, want in {"open+rb+seek+read": "read", "open+rb+buffering=0+seek+read": "read", "os.pread": "pread", "os.preadv": "preadv"}.items():
            answers = converse(words("read-block", method, [path], 5 * 4096, access="sequential"), "batch 1", "batch 4", "verify")
            self.assertRegex(answers[0], "^done ops=1 ")
            self.assertEqual(answers[1], f"error op={want} errno=ENODATA path={path}")
        answers = converse(words("read-block", "mmap", [path], 5 * 4096), "batch 1")
        self.assertEqual(answers, [f"error op=mmap errno=ENODATA path={path}"])

    def test_errno_names(self):
        answers = converse(words("read-whole", ["os.open+os.read", "open+rb+read"], [self.folder], 10), "batch 1", "batch 1 method=1")
        self.assertEqual(answers, [f"error op={op} errno=EISDIR path={self.folder}" for op in ("read", "open")])

    def test_nonsense_is_answered_with_the_line(self):
        path = self.file(b"x" * 10)
        for line in (
            "", "batch", "batch x", "batch -1", "batch +1", "batch 1_0", "batch 1 method=1", "batch 1 method=", "batch 1 preroll=x", "batch 1 2",
            "batch 1 speed=3", "batch 99999999999999999999", "batch " + "9" * 5000, "blocks", "blocks 0:1", "blocks 0:1:2:3", "blocks 0:1:0 1:1:0", "blocks a:1:0",
            "verify 0", "verify method=1", "verify method=0 method=0", "release now", "quit now", "Batch 1",
        ):
            answers = converse(words("open-close", "open+rb", [path], 10), line, "batch 0")
            self.assertEqual(answers[0], f"error op=protocol errno=EINVAL path={line}")
            self.assertRegex(answers[1], "^done ops=0 ")

    def test_wrong_arguments_exit_with_2(self):
        path = self.file(b"x" * 100)
        null = ["run", "--operation", "null", "--method", "null"]
        for reason, arguments in {
            "unknown method": words("open-close", "opem", [path], 1),
            "cannot perform": words("read-whole", "open+rb", [path], 1),
            "unknown operation": words("open", "open+rb", [path], 1),
            "--path is missing": words("open-close", "open+rb", [], 1),
            "--block must": words("open-close", "open+rb", [path], 1, 0),
            "--threads must": words("search", "mmap+find", [path], 1, threads=0),
            "no such block": words("read-block", "mmap", [path], 100, 101),
            "--method is missing": ["run", "--operation", "null"],
            "--operation is missing": ["run", "--method", "null"],
            "given twice": null + ["--operation", "null"],
            "needs --size": ["run", "--operation", "hash", "--method", "null", "--path", path],
            "neither random nor": null + ["--access", "backward"],
            "unexpected argument": null + ["more"],
            "needs a value": null + ["--seed"],
            "is not a number": null + ["--seed", str(2**64)],
            "No such file": null + ["--latencies", os.path.join(self.folder, "none", "l")],
            "is empty": words("search", "mmap+find", [path], 1, word=""),
            "overlaps itself": words("search", "mmap+find", [path], 1, word="aba"),
            "holds a newline": words("search", "mmap+find", [path], 1, word="a\nb"),
            "usage": [],
        }.items():
            done = start(arguments, [])
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(reason, done.stderr)

    def test_what_a_runtime_lacks_exits_with_77(self):
        for method in METHODS:
            if "unavailable" in method:
                done = start(words(method["operations"][0], method["name"], [self.file(b"x")], 1), [])
                self.assertEqual(done.returncode, 77)
                self.assertIn(method["unavailable"], done.stderr)

    def test_latencies_are_appended(self):
        path, log = self.file(noise(8192, 1)), os.path.join(self.folder, "latencies")
        answers = converse(words("read-block", "os.pread", [path], 8192, latencies=log), "batch 5 preroll=2", "batch 3", "blocks 0:4:0")
        with open(log, "rb") as file:
            data = file.read()
        times = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]
        self.assertEqual(len(times), 8)
        self.assertTrue(all(times))
        self.assertLessEqual(sum(times[:5]), figure(answers[0], "ns"))
        self.assertLessEqual(sum(times[5:]), figure(answers[1], "ns"))

    def test_paths_are_bytes(self):
        path = os.fsdecode(os.fsencode(self.file(b"x")) + b" \xff\xc3\xa9")
        done = subprocess.run([*COMMAND, *words("open-close", "open+rb", [path], 1)], input=b"batch 1\n", capture_output=True)
        self.assertEqual(done.stdout, b"ready\nerror op=open errno=ENOENT path=" + os.fsencode(path) + b"\n")

    def test_release_closes_and_unmaps(self):
        path = self.file(noise(8192, 1))
        for operation, method in pairs("read-block", "read-whole", "lines"):
            process = subprocess.Popen(
                COMMAND + words(operation, method, [path], 8192), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            with process:
                seen = []
                for line in (None, "release", "batch 1", "release"):
                    if line:
                        process.stdin.write(line + "\n")
                    process.stdout.readline()
                    seen.append(holds(process.pid, path))
                holding = operation == "read-block" and method != "null"
                self.assertEqual(seen, [holding, False, holding, False], f"{operation} {method}")
                process.stdin.close()
            self.assertEqual(process.returncode, 0)


def holds(pid, path):
    with open(f"/proc/{pid}/maps") as maps:
        if path in maps.read():
            return True
    folder = f"/proc/{pid}/fd"
    return any(os.readlink(os.path.join(folder, fd)) == path for fd in os.listdir(folder))


SAMPLE_BYTES, SAMPLE_BLOCK = 70_001, 4096
FILE_CALLS = (
    "open openat close read readv pread64 preadv preadv2 write pwrite64 pwritev lseek fcntl fstat newfstatat stat statx ioctl "
    "mmap munmap access faccessat fadvise64 ftruncate dup getrandom clock_gettime clone clone3 madvise fsync sendfile "
    "copy_file_range futex"
).split()


def calls_of_run(arguments, operations, log):
    """The calls of one run by name, the failed ones with a `!`."""
    start(arguments, [f"batch {operations}"], ["strace", "-f", "-qq", "-o", log])
    counts = Counter()
    with open(log) as file:
        for line in file:
            match = re.match(r"\d+ +(?:<\.\.\. )?(\w+)", line)
            if match and "<unfinished ...>" not in line:
                counts[match[1] + ("!" if " = -1 " in line else "")] += 1
    return counts


def calls_of_operation(operation, method, path, log, n=50, **more):
    """The calls of one operation: what runs of two lengths differ in."""
    arguments = words(operation, method, [path], SAMPLE_BYTES, SAMPLE_BLOCK, **more)
    many, few = (calls_of_run(arguments, count, log) for count in (2 * n, n))
    # One call in all of them is none of the operation's: an arena of the interpreter's allocator, for one.
    differences = {call: many[call] - few[call] for call in many if abs(many[call] - few[call]) > 1}
    return {call: count / n for call, count in differences.items() if call.rstrip("!") in FILE_CALLS}


@unittest.skipUnless(shutil.which("strace"), "no strace")
class Calls(Files):
    def test_the_clock_makes_no_call_and_null_none_at_all(self):
        path, log = self.file(text(SAMPLE_BYTES, 1)), os.path.join(self.folder, "log")
        for operation, method in pairs():
            if method == "null" or operation == "open-close" and method == "os.open":
                want = {} if method == "null" else {"openat": 1, "close": 1}
                self.assertEqual(calls_of_operation(operation, method, path, log), want, operation)

    def test_marks_enclose_the_timed_operations(self):
        path, log = self.file(b"x" * 10), os.path.join(self.folder, "log")
        arguments = words("open-close", "os.open", [path], 10, marks=True)
        start(arguments, ["batch 3 preroll=2", "blocks 0:1:1"], ["strace", "-qq", "-o", log])
        seen = []
        with open(log) as file:
            for line in file:
                if "/fathom-mark/" in line and "ENOENT" in line:
                    seen.append("begin" if "begin" in line else "end")
                elif path in line and "execve" not in line:
                    seen.append("open")
                elif line.startswith("getrusage"):
                    seen.append("rusage")
        want = "open open rusage begin open open open end rusage open rusage begin open end rusage"
        self.assertEqual(" ".join(seen), want)


def print_table(**more):
    """The calls of every method: python3 -c 'import driver_test; driver_test.print_table()'"""
    with tempfile.TemporaryDirectory() as folder:
        path, log = os.path.join(folder, "file"), os.path.join(folder, "log")
        for operation, method in pairs():
            with open(path, "wb") as file:
                file.write(text(SAMPLE_BYTES, 1))
            calls = calls_of_operation(operation, method, path, log, **more)
            print(f"{operation:17}{method:31}", ", ".join(f"{call} {count:g}" for call, count in calls.items()))


if __name__ == "__main__":
    unittest.main()
