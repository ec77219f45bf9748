#!/usr/bin/env python3
"""Encodes attachments for mail; large ones are left out."""
import base64
import os

LIMIT = 30


def encode(path):
    with open(path, "rb", buffering=0) as f:
        size = os.fstat(f.fileno()).st_size
        if size > LIMIT:
            return None
        return base64.b64encode(f.read(size))


def main():
    parts, left_out = [], 0
    for number in range(110):
        part = encode("att/%d.bin" % number)
        if part is None:
            left_out += 1
        else:
            parts.append(part)
    body = b"\n--boundary\n".join(parts)
    print("attached %d, left out %d, body %d bytes" % (len(parts), left_out, len(body)))


main()
