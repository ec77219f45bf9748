#!/bin/sh
# Formats the changes of a release with its version on each line.
version() {
    read -r v < VERSION
}
count=0
while read -r change; do
    version
    echo "[$v] $change"
    count=$((count + 1))
done < changes.txt > notes.txt
tail -1 notes.txt
echo "$count changes"
