"""Which attachments exceed the limit of the receiving server once they are base64?"""
import base64
import os

LIMIT = 12000


def encoded_length(f):
    n = os.fstat(f.fileno()).st_size
    return (n + 2) // 3 * 4 + n // 57


sent = refused = 0
total = 0
for name in sorted(os.listdir("attachments")):
    with open(os.path.join("attachments", name), "rb") as f:
        if encoded_length(f) > LIMIT:
            refused += 1
            continue
        total += len(base64.encodebytes(f.read()))
        sent += 1
print(sent, "sent", refused, "refused", total, "bytes")
