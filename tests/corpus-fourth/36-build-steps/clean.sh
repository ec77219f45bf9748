#!/bin/sh
# Report of a nightly build: one line for each of its targets.
target=1
failed=0
while [ $target -le 100 ]; do
    seconds=$((target * 7 % 43))
    if [ $((target % 17)) -eq 4 ]; then
        echo "target$target FAILED after $seconds s"
        failed=$((failed + 1))
    else
        echo "target$target built in $seconds s"
    fi
    target=$((target + 1))
done > report.txt
echo "$failed failed"
wc -l < report.txt
tail -n 1 report.txt
