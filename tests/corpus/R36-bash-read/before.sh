#!/bin/bash
# Counts names, line by line.
count=0
while read -r name; do
    count=$((count + 1))
done < names
echo "$count names"
