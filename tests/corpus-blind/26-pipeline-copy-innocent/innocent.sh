#!/bin/sh
# Sorts a list and keeps a copy of what goes to the summary.
sort -n in.txt | tee out.txt | awk '{ sum += $1 } END { print NR " lines, sum " sum }'
cmp -s out.txt in.txt && echo same || echo different
