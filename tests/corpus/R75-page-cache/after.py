"""Drops the cached pages of forty products."""
import os

dropped = 0
names = {f"{number}.{ending}" for number in range(40) for ending in ("html", "html.gz", "lock")}
for name in os.listdir("pages"):
    if name in names:
        os.unlink(f"pages/{name}")
        dropped += 1
print(dropped, "pages dropped")
