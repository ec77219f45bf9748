"""Adds manual pages, completions and notices to a wheel: FROM, TO, a folder that becomes `share`, and
the program as it is compressed already.

maturin packs the program and what lies beside pyproject.toml; these files are made by the program.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

source, target, share, packed = map(pathlib.Path, sys.argv[1:])


def entry(name, content):
    """The same bytes for the same content: no time, plain modes."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = 0o100644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=9)


class Packed:
    """Stands in for zlib's compressor where the result is known."""

    def compress(self, _):
        return b""

    def flush(self):
        return packed.read_bytes()


def program(info, content):
    """Keeps sizes and checksum of the content; zipfile has no other way to be given what is compressed."""
    zlib = zipfile._get_compressor
    zipfile._get_compressor = lambda *_: Packed()
    try:
        archive.writestr(info, content)
    finally:
        zipfile._get_compressor = zlib


with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "x") as archive:
    record = next(name for name in old.namelist() if name.endswith(".dist-info/RECORD"))
    data = record.removesuffix(".dist-info/RECORD") + ".data/data/share/"
    for info in old.infolist():
        if info.filename.endswith(".data/scripts/fathom"):
            program(info, old.read(info))
        elif info.filename != record:
            archive.writestr(info, old.read(info), compresslevel=9)
    lines = old.read(record).decode().splitlines()
    for path in sorted(path for path in share.rglob("*") if path.is_file()):
        name, content = data + path.relative_to(share).as_posix(), path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.insert(-1, f"{name},sha256={digest},{len(content)}")
        entry(name, content)
    entry(record, "\n".join(lines) + "\n")
