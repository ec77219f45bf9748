#!/usr/bin/env python3
"""Makes jobs/: one small text per job, and worker.conf."""
import os
os.makedirs("jobs", exist_ok=True)
for i in range(48):
    with open(f"jobs/job{i:02d}.txt", "w") as f:
        f.write(f"alpha {i}\nbeta {i * 3}\ngamma {i * i}\n" * (1 + i % 4))
with open("worker.conf", "w") as f:
    f.write("prefix=result\nseparator=:\nlimit=100\n" + "".join(f"option{i}={i}\n" for i in range(30)))
