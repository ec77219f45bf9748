#!/bin/bash
# Oldest and newest album.
set -euo pipefail
oldest=9999
newest=0
count=0

year_of() {
    pushd "$1" > /dev/null
    REPLY=$(<year)
    popd > /dev/null
}

for album in music/*/; do
    year_of "$album"
    if ((REPLY < oldest)); then
        oldest=$REPLY
    fi
    if ((REPLY > newest)); then
        newest=$REPLY
    fi
    count=$((count + 1))
done
echo "$count albums from $oldest to $newest"
