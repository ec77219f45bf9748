"""Table of the release files for the download page: name, size, day, checksum."""
import glob
import os
import time

rows = []
for sums in sorted(glob.glob("release/*.sha256")):
    archive = sums.removesuffix(".sha256") + ".tar.gz"
    st = os.stat(archive)
    with open(sums) as f:
        digest = f.read().strip()
    rows.append((os.path.basename(archive), st.st_size, time.strftime("%Y-%m-%d", time.gmtime(st.st_mtime)), digest))
width = max(len(r[0]) for r in rows)
for name, size, day, digest in rows:
    print(f"{name:<{width}}  {size:>8}  {day}  {digest[:12]}")
