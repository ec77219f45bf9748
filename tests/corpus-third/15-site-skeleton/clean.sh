#!/bin/sh
# Makes empty pages for a list of hosts.
set -e
umask 022
n=0
made=" "

page() {
    host=${1%%/*}
    case "$made" in
    *" $host "*) ;;
    *)
        mkdir -p "by-host/$host"
        made="$made$host "
        ;;
    esac
    echo "<title>$1</title>" > "by-host/$1"
}

for p in $(cat pages.lst); do
    page "$p"
    n=$((n + 1))
done

echo "$n pages"
find by-host -type f | wc -l
