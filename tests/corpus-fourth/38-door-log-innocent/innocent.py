"""Control of a vault's door: asks of each badge whether it may enter, and records that before the bolt moves."""
import os
import sys

allowed = {"1", "3", "4", "8"}
log = os.open("door.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_DSYNC, 0o600)
with open("requests") as requests:
    for number, line in enumerate(requests):
        badge = line.split()[1]
        verdict = "open" if badge in allowed else "deny"
        os.write(log, f"{number} {badge} {verdict}\n".encode())
        sys.stdout.write(verdict + "\n")
        sys.stdout.flush()
os.close(log)
