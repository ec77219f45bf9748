"""Makes t/: the small tests that the author wrote by hand."""
import os
os.makedirs("t", exist_ok=True)
for i in range(1, 7):
    with open(f"t/{i:02d}-basic.t", "w") as f:
        f.write(f'#!/bin/sh\necho "1..{i + 1}"\nn=0\nwhile [ $n -lt {i + 1} ]; do n=$((n+1)); echo "ok $n - step $n of test {i}"; done\n')
with open("t/07-fails.t", "w") as f:
    f.write('#!/bin/sh\necho "1..2"\necho "ok 1 - start"\necho "not ok 2 - stop"\nexit 1\n')
