"""Tests of the operations that write, and of those on missing files and on
configurations: what they answer, and what then stands in the directory.

python3 -m unittest driver_write_test, or FATHOM_PYTHON=… to try another interpreter.
"""

import json
import os
import re
import resource
import shutil
import tempfile
import unittest
import zlib
from collections import Counter

from driver_test import METHODS, Files, converse, figure, noise, offset_of, pairs, splitmix64, start, words

PATTERN = b"fathom pattern.\n"
POOL_BYTES = 1 << 20


def pattern(size):
    return (PATTERN * (size // 16 + 1))[:size]


def pool(content, seed):
    if content == "pattern":
        return pattern(POOL_BYTES)
    return b"".join(splitmix64((seed + i) % 2**64).to_bytes(8, "little") for i in range(POOL_BYTES // 8))


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


class Writing(Files):
    def directory(self):
        return tempfile.mkdtemp(dir=self.folder)

    def try_converse(self, arguments, *lines):
        """The answers, or None where the driver says that it cannot."""
        done = start(arguments, lines)
        if done.returncode == 77:
            self.assertEqual(done.stdout, "", done.stderr)
            self.assertNotEqual(done.stderr, "")
            return None
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout.splitlines()[1:]

    def check_figures(self, what, answer, ops, size, digest=0):
        self.assertRegex(answer, rf"^done ops={ops} ns=\d+ bytes={size} digest={digest}( |$)", what)

    def check_verified(self, what, answer, data):
        self.assertEqual(answer, f"verified bytes={len(data)} crc32={zlib.crc32(data):08x}", what)

    def check_folder(self, what, folder, contents):
        self.assertEqual({name: content_of(os.path.join(folder, name)) for name in os.listdir(folder)}, contents, what)


class Create(Writing):
    def test_files_are_made_as_asked(self):
        performed = set()
        for operation, method in pairs("create"):
            for existing, write, close, sync in (
                ("fresh", 0, "each", "none"), ("fresh", 5000, "each", "fsync"), ("empty", 16, "each", "none"), ("data", 100, "each", "none"),
                ("fresh", 0, "all", "none"), ("data", 20_000, "all", "fsync"), ("fresh", 33, "none", "none"), ("empty", 0, "none", "fsync"),
                ("data", 0, "each", "none"),
            ):
                what = f"{method} {existing} {write} {close} {sync}"
                folder = self.directory()
                arguments = words(operation, [method, method], [], 0, directory=folder, existing=existing, write=write, close=close, sync=sync)
                answers = self.try_converse(arguments, "batch 3 preroll=2", "blocks 1:1:0 0:0:0", "verify", "release", "batch 1")
                if answers is None:
                    continue
                performed.add(method)
                self.assertEqual(len(answers), 7, f"{what}: {answers}")
                for i, ops in ((0, 3), (1, 1), (2, 0), (6, 1)):
                    self.check_figures(what, answers[i], ops, ops * write)
                self.check_verified(what, answers[4], pattern(write))
                made = [] if method == "null" else [2, 3, 1, 0, 1, 1]
                self.assertEqual(sorted(os.listdir(folder)), [str(i) for i in range(len(made))], what)
                for number, count in enumerate(made):
                    self.check_folder(what, os.path.join(folder, str(number)), {f"f{i}": pattern(write) for i in range(count)})
        self.assertEqual(performed, {method for _, method in pairs("create")})

    def test_own_times_are_sums_over_the_phases(self):
        for operation, method in pairs("create"):
            log = os.path.join(self.folder, f"log of {method.replace('/', ' ')}")
            arguments = words(operation, method, [], 0, directory=self.directory(), write=10, close="all", latencies=log)
            answers = self.try_converse(arguments, "batch 5", "batch 2")
            if answers is not None:
                times = content_of(log)
                self.assertEqual(len(times), 7 * 8)
                times = [int.from_bytes(times[i : i + 8], "little") for i in range(0, 40, 8)]
                self.assertTrue(all(times))
                self.assertLessEqual(sum(times), figure(answers[0], "ns"))

    def test_more_files_than_descriptors_are_refused(self):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        most = int(content_of("/proc/sys/fs/nr_open"))
        lines = [f"batch {max(limit, most)}"]
        for method in ("open+wb", "os.open+O_CREAT"):
            folder = self.directory()
            done = start(words("create", method, [], 0, directory=folder, close="all"), lines)
            self.assertEqual((done.returncode, done.stdout), (77, "ready\n"))
            self.assertIn("open at once", done.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_failures_name_their_file(self):
        for operation, method in pairs("create"):
            if method != "null":
                folder = self.directory()
                os.mkdir(os.path.join(folder, "0"))
                answers = converse(words(operation, method, [], 0, directory=folder), "batch 1", "batch 1")
                self.assertEqual(answers[0], f"error op=open errno=EEXIST path={folder}/0")
                self.assertRegex(answers[1], "^done ops=1 ")


class WriteBlock(Writing):
    def test_blocks_land_where_they_belong(self):
        performed, seed = set(), 2**64 - 3
        pools = {content: pool(content, seed) for content in ("random", "pattern")}
        for operation, method in pairs("write-block"):
            for block, size, access, alignment, existing, content, sync in (
                (4096, 40_960, "random", "aligned", "fresh", "random", "none"), (1000, 5500, "sequential", "aligned", "fresh", "pattern", "fsync"),
                (1000, 5500, "random", "unaligned", "data", "random", "fsync"), (700_000, 2_100_000, "sequential", "unaligned", "empty", "random", "none"),
                (4096, 16_384, "sequential", "aligned", "data", "random", "none"), (16, 33, "sequential", "unaligned", "fresh", "random", "none"),
            ):
                what = f"{method} {block} {size} {access} {alignment} {existing}"
                folder = self.directory()
                options = {"access": access, "alignment": alignment, "existing": existing, "content": content, "sync": sync}
                arguments = words(operation, [method, method], [], size, block, directory=folder, seed=seed, **options)
                answers = self.try_converse(arguments, "batch 3 preroll=2", "batch 4", "verify", "release", "blocks 1:2:0")
                if answers is None:
                    continue
                performed.add(method)
                per_pool = POOL_BYTES // block if block <= POOL_BYTES // 2 else 1

                def piece(k):
                    start = k % per_pool * block
                    return pools[content][start : start + block]

                for i, numbers in ((0, (2, 3, 4)), (1, (5, 6, 7, 8)), (4, (0, 1))):
                    digest = sum(sum(piece(k)[::4096]) for k in numbers)
                    self.check_figures(what, answers[i], len(numbers), len(numbers) * block, digest)
                self.check_verified(what, answers[2], piece(0))
                if method != "null":
                    numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 1] if existing == "data" else [0, 1]
                    image = bytearray(pattern(size) if existing == "data" else b"")
                    for k in numbers:
                        offset = offset_of(k, size, block, access, alignment, seed)
                        image.extend(bytes(max(0, offset + block - len(image))))
                        image[offset : offset + block] = piece(k)
                    last = "0" if existing == "data" else "4"
                    got = content_of(os.path.join(folder, last, "f"))
                    self.assertEqual(got[: len(image)], image, what)
                    self.assertEqual(got[len(image) :], bytes(len(got) - len(image)), what)
                    self.assertEqual([n for n in sorted(os.listdir(folder)) if os.listdir(os.path.join(folder, n))], [last], what)
                else:
                    self.assertEqual(os.listdir(folder), [], what)
        self.assertEqual(performed, {method for _, method in pairs("write-block")})


class Copy(Writing):
    def test_copies_hold_what_their_sources_do(self):
        for operation, method in pairs("copy"):
            for size, sync in ((0, "none"), (1, "none"), (200_001, "none"), (70_000, "fsync")):
                what = f"{method} {size}"
                contents = [noise(size, 1), noise(size, 2)]
                paths, folder = [self.file(data) for data in contents], self.directory()
                arguments = words(operation, [method, method], paths, size, directory=folder, sync=sync)
                answers = self.try_converse(arguments, "batch 3 preroll=2", "verify method=1", "batch 2 method=1", "batch 2")
                if answers is None:
                    self.assertEqual(sync, "fsync", what)
                    continue
                for i, ops in ((0, 3), (2, 2), (3, 2)):
                    self.check_figures(what, answers[i], ops, ops * size)
                self.check_verified(what, answers[1], contents[0])
                if method == "null":
                    self.assertEqual(os.listdir(folder), [])
                    continue
                # Only those of the last batch are still there.
                for name, numbers in (("0", ()), ("1", ()), ("2", ()), ("3", ()), ("4", (5, 6))):
                    self.check_folder(what, os.path.join(folder, name), {f"c{i}": contents[k % 2] for i, k in enumerate(numbers)})

    def test_a_missing_source_is_an_error(self):
        missing = os.path.join(self.folder, "no such file")
        for operation, method in pairs("copy"):
            answers = converse(words(operation, method, [missing], 10, directory=self.directory()), "batch 2", "verify", "release")
            want = f"error op=open errno=ENOENT path={missing}"
            self.assertEqual(answers, [want, want, "released"], method)


def configurations(port, open_limit):
    values = {
        "name": "fathom", "port": port, "ratio": 0.25, "enabled": True, "tags": ["a", "b", "c"], "limits": {"open": open_limit, "read": 7}, "padding": "x" * 50,
    }
    lines = ['name{}"fathom"', f"port{{}}{port}", "ratio{}0.25", "enabled{}true", 'tags{}["a", "b", "c"]', f'padding{{}}"{"x" * 50}"']
    toml = "\n".join([line.format(" = ") for line in lines] + ["[limits]", f"open = {open_limit}", "read = 7", ""])
    yaml = "\n".join([line.format(": ") for line in lines] + ["limits:", f"  open: {open_limit}", "  read: 7", ""])
    return {"json": json.dumps(values), "toml": toml, "yaml": yaml}


class WithoutWriting(Writing):
    def test_missing_files_are_what_is_wanted(self):
        missing, there = os.path.join(self.folder, "none"), self.file(b"x")
        for operation, method in pairs("open-missing"):
            answers = converse(words(operation, method, [missing], 1), "batch 3 preroll=1", "verify", "blocks 0:1:0", "release")
            self.check_figures(method, answers[0], 3, 0)
            self.check_verified(method, answers[1], b"")
            if method != "null":
                answers = converse(words(operation, method, [missing, there], 1), "batch 1", "batch 1", "batch 1")
                self.assertEqual(answers[1], f"error op=open errno=EEXIST path={there}")
                self.check_figures(method, answers[2], 1, 0)

    def test_configurations_are_parsed(self):
        for operation, method in pairs("config-load"):
            for form in ("json", "toml", "yaml"):
                texts = [configurations(port, limit)[form].encode() for port, limit in ((8080, 1000), (8081, 1001))]
                paths = [self.file(text) for text in texts]
                answers = self.try_converse(words(operation, method, paths, len(texts[0]), format=form), "batch 3 preroll=1", "verify", "release")
                if answers is not None:
                    digest = 8080 + 1000 + 7 + 8081 + 1001 + 7
                    self.check_figures(f"{method} {form}", answers[0], 3, 3 * sum(map(len, texts)), 3 * digest)
                    size = sum(map(len, texts))
                    self.assertEqual(answers[1], f"verified bytes={size} crc32={zlib.crc32(b'%d' % digest):08x}", f"{method} {form}")
                else:
                    self.assertNotEqual(form, "json")

    def test_data_held_is_current(self):
        for operation, method in pairs("reload"):
            data = [noise(70_001, 1), noise(70_001, 2)]
            answers = converse(words(operation, method, [self.file(d) for d in data], 70_001), "batch 3 preroll=1", "verify", "release", "batch 1")
            sums = [sum(d[::4096]) for d in data]
            self.check_figures(method, answers[0], 3, 3 * 70_001, sums[0] + 2 * sums[1])
            self.check_verified(method, answers[1], data[0])
            self.check_figures(method, answers[3], 1, 70_001, sums[0])

    def test_missing_sources_are_errors(self):
        missing = os.path.join(self.folder, "none")
        for operation, method in pairs("config-load", "reload"):
            answers = converse(words(operation, method, [missing], 1), "batch 1", "verify", "release")
            want = f"error op=open errno=ENOENT path={missing}"
            self.assertEqual(answers, [want, want, "released"], method)


class Refusals(Writing):
    def test_what_cannot_be_done_exits_with_77(self):
        path, folder = self.file(noise(8192, 1)), self.directory()
        for reason, arguments in {
            "no syncfs": words("create", "null", [], 0, directory=folder, sync="syncfs"),
            "closes the file by itself": words("create", "pathlib.Path.write_bytes", [], 0, directory=folder, close="all"),
            "no descriptor": words("copy", "shutil.copyfile", [path], 0, directory=folder, sync="fsync"),
            "files that exist": words("create", "open+xb", [], 0, directory=folder, existing="data"),
            "in order only": words("write-block", "open+wb+write", [], 8192, directory=folder),
            "truncates": words("write-block", "open+wb+write", [], 8192, directory=folder, access="sequential", existing="data"),
            "no XXH64": words("hash", "null", [path], 8192, algorithm="xxh64"),
            "one thread": words("read-block", "os.pread", [path], 8192, threads=2),
            "after the other": words("read-whole", "open+rb+read", [path], 8192, **{"queue-depth": 2}),
            "not parse yaml": words("config-load", "mmap+json.loads", [path], 8192, format="yaml"),
        }.items():
            done = start(arguments, [])
            self.assertEqual((done.returncode, done.stdout), (77, ""), arguments)
            self.assertIn(reason, done.stderr)

    def test_wrong_settings_exit_with_2(self):
        path, folder = self.file(b"x"), self.directory()
        for reason, arguments in {
            "needs --directory": words("create", "null", [], 0),
            "is no directory": words("create", "null", [], 0, directory=path),
            "none of fresh, empty, data": words("create", "null", [], 0, directory=folder, existing="old"),
            "none of each, all, none": words("create", "null", [], 0, directory=folder, close="later"),
            "at most 1048576": words("write-block", "null", [], 2**22, 2**20 + 1, directory=folder),
            "no such block": words("write-block", "null", [], 100, 4096, directory=folder),
            "--queue-depth must": words("read-block", "null", [path], 8192, **{"queue-depth": 0}),
            "none of md5, xxh64": words("hash", "null", [path], 1, algorithm="sha1"),
            "none of json, yaml, toml": words("config-load", "null", [path], 1, format="ini"),
            "--path is missing": words("copy", "null", [], 1, directory=folder),
        }.items():
            done = start(arguments, [])
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(reason, done.stderr)


LOCKS = ("futex",)


def calls_in_clock(arguments, operations, log):
    """The calls between the marks of a batch, by name, the failed ones with a `!`."""
    start([*arguments, "--marks"], [f"batch {operations}"], ["strace", "-f", "-qq", "-o", log])
    with open(log, errors="replace") as file:
        _, _, rest = file.read().partition("/fathom-mark/begin")
    inside, _, _ = rest.partition("/fathom-mark/end")
    counts = Counter()
    for line in inside.split("\n")[1:-1]:
        match = re.match(r"\d+ +(?:<\.\.\. )?(\w+)", line)
        if match and "<unfinished ...>" not in line:
            counts[match[1] + ("!" if " = -1 " in line else "")] += 1
    return counts


def calls_of_operation(arguments, directory, log, n=40):
    """The calls of one operation: what runs of two lengths differ in; None where the
    driver says that it cannot.
    """
    runs = []
    for number, count in enumerate((n, 2 * n)):
        folder = os.path.join(directory, str(number))
        os.mkdir(folder)
        runs.append(calls_in_clock([*arguments, "--directory", folder], count, log))
    few, many = runs
    # One call in all of them is none of the operation's, as in driver_test.
    return {call: (many[call] - few[call]) / n for call in sorted(many) if abs(many[call] - few[call]) > 1 and call not in LOCKS}


@unittest.skipUnless(shutil.which("strace"), "no strace")
class Calls(Writing):
    def calls(self, operation, method, paths, size=16_384, **more):
        return calls_of_operation(words(operation, method, paths, size, **more), self.directory(), os.path.join(self.folder, "log"))

    def test_null_makes_no_call(self):
        path = self.file(configurations(1, 2)["json"].encode())
        for operation in ("open-missing", "create", "write-block", "copy", "config-load", "reload"):
            self.assertEqual(self.calls(operation, "null", [path], write=10, close="all", sync="fsync"), {}, operation)

    def test_methods_make_the_calls_of_their_names(self):
        path = self.file(noise(16_384, 1))
        for operation, method, more, want in (
            ("create", "os.open+O_CREAT", {}, {"openat": 1, "close": 1}),
            ("create", "os.open+O_CREAT", {"write": 10, "sync": "fsync", "close": "none"}, {"openat": 1, "write": 1, "fsync": 1}),
            ("write-block", "os.pwrite", {"sync": "fsync"}, {"pwrite64": 1}),
            ("write-block", "mmap", {}, {}),
            ("reload", "os.stat", {}, {"newfstatat": 1}),
            ("open-missing", "os.open", {}, {"openat!": 1}),
        ):
            paths = [os.path.join(self.folder, "none")] if operation == "open-missing" else [path]
            got = self.calls(operation, method, paths, **more)
            if "stat" in got:
                got["newfstatat"] = got.pop("stat")
            self.assertEqual(got, want, f"{operation} {method} {more}")


if __name__ == "__main__":
    unittest.main()
