"""Drops the cached pages of forty products."""
import os

dropped = 0
for number in range(40):
    for ending in ("html", "html.gz", "lock"):
        try:
            os.unlink(f"pages/{number}.{ending}")
            dropped += 1
        except FileNotFoundError:
            pass
print(dropped, "pages dropped")
