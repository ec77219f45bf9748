"""What `fathom driver check` cannot ask of every driver: this one's edges and refusals.

python3 -m unittest driver_test, or FATHOM_PYTHON=… to try another interpreter.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

DRIVER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "driver.py")
COMMAND = [os.environ.get("FATHOM_PYTHON", sys.executable), "-I", "-S", DRIVER]
METHODS = json.loads(subprocess.run([*COMMAND, "describe"], check=True, capture_output=True).stdout)["methods"]


def methods(operation):
    return [method["name"] for method in METHODS if operation in method["operations"] and "unavailable" not in method]


class Edges(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, data):
        handle, path = tempfile.mkstemp(dir=self.folder)
        with open(handle, "wb") as file:
            file.write(data)
        return path

    def run_driver(self, operation, method, path, *lines, **more):
        more = {"size": os.path.getsize(path), **more}
        words = [word for key, value in more.items() for word in (f"--{key.replace('_', '-')}", str(value))]
        text = "".join(line + "\n" for line in lines).encode()
        words = ["run", "--operation", operation, "--method", method, "--path", path, *words]
        done = subprocess.run([*COMMAND, *words], input=text, capture_output=True, timeout=60)
        return done.returncode, os.fsdecode(done.stdout).split("\n")[1:-1], done.stderr.decode()

    def figures(self, answer, *keys):
        figures = dict(word.split("=", 1) for word in answer.split()[1:])
        return tuple(int(figures[key]) for key in keys)

    def test_only_newlines_end_lines(self):
        for data in (b"\r\n\r", b"a\rb\n\n\nc", b"\xff\x00\x85\n"):
            lines = data.split(b"\n")[: None if data[-1:] != b"\n" else -1]
            want = (len(lines), sum(map(len, lines)), sum(line[0] for line in lines if line))
            for method in methods("lines"):
                _, answers, _ = self.run_driver("lines", method, self.file(data), "batch 1")
                self.assertEqual(self.figures(answers[0], "lines", "bytes", "digest"), want, f"{method} {data[:20]}")

    def test_only_truncating_truncates(self):
        for method in methods("open-write-close"):
            path = self.file(b"data")
            self.run_driver("open-write-close", method, path, "batch 2")
            self.assertEqual(os.path.getsize(path), 0 if method == "open+wb" else 4, method)

    def test_a_short_file_is_an_error_of_the_call(self):
        path = self.file(b"x" * 5000)
        for method, call in (("open+rb+seek+read", "read"), ("os.pread", "pread"), ("os.preadv", "preadv"), ("mmap", "mmap")):
            _, answers, _ = self.run_driver("read-block", method, path, "batch 5", block=4096, size=5 * 4096, access="sequential")
            self.assertEqual(answers, [f"error op={call} errno=ENODATA path={path}"])

    def test_paths_are_bytes(self):
        path = os.fsdecode(os.fsencode(self.file(b"x")) + b" \xff\xc3\xa9")
        os.mkdir(path)
        _, answers, _ = self.run_driver("open-close", "open+rb", path, "batch 1")
        self.assertEqual(answers, [f"error op=open errno=EISDIR path={path}"])

    def test_what_cannot_be_done_exits_with_77(self):
        path = self.file(b"x" * 8192)
        for reason, operation, method, more in (
            ("no syncfs", "create", "null", {"sync": "syncfs"}),
            ("open at once", "create", "open+wb", {"close": "all"}),
            ("closes the file by itself", "create", "pathlib.Path.write_bytes", {"close": "all"}),
            ("no descriptor", "copy", "shutil.copyfile", {"sync": "fsync"}),
            ("files that exist", "create", "open+xb", {"existing": "data"}),
            ("in order only", "write-block", "open+wb+write", {"block": 4096}),
            ("truncates", "write-block", "open+wb+write", {"block": 4096, "access": "sequential", "existing": "data"}),
            ("no XXH64", "hash", "null", {"algorithm": "xxh64"}),
            ("one thread", "read-block", "os.pread", {"block": 4096, "threads": 2}),
            ("not parse yaml", "config-load", "mmap+json.loads", {"format": "yaml"}),
            ("on the stack", "open-read-close", "mmap", {"buffer": "stack"}),
        ):
            with tempfile.TemporaryDirectory(dir=self.folder) as folder:
                # More than the kernel lets a process open.
                code, _, said = self.run_driver(operation, method, path, "batch 20000000", directory=folder, **more)
            self.assertEqual(code, 77, f"{operation} {method} {more}: {said}")
            self.assertIn(reason, said)


if __name__ == "__main__":
    unittest.main()
