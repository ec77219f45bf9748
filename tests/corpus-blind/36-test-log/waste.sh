#!/bin/sh
# Runs a hundred small checks and logs them.
i=0
good=0
: > test.log
while [ $i -lt 100 ]; do
    value=$((i * 7919 % 1000))
    if [ $value -lt 900 ]; then
        good=$((good + 1))
        echo "check $i ok ($value)" >> test.log
    else
        echo "check $i FAILED ($value)" >> test.log
    fi
    i=$((i + 1))
done
echo "good $good of $i"
wc -l < test.log
