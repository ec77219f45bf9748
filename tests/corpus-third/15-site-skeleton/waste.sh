#!/bin/sh
# Makes empty pages for a list of hosts.
set -e
umask 022
n=0

page() {
    host=${1%%/*}
    mkdir -p "by-host/$host"
    echo "<title>$1</title>" > "by-host/$1"
}

for p in $(cat pages.lst); do
    page "$p"
    n=$((n + 1))
done

echo "$n pages"
find by-host -type f | wc -l
