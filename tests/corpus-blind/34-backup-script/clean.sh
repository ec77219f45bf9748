#!/bin/sh
# Reports the longest chapters.
TMP=$(mktemp "${TMPDIR:-/tmp}/blind-report.XXXXXXXX") || exit 1
trap 'rm -f "$TMP"' EXIT

collect() {
    for f in docs/*.txt; do
        read -r _ name words _ < "$f"
        echo "$words $name"
    done
}

collect > "$TMP"
sort -rn "$TMP" | head -3
total=0
while read -r words name; do
    total=$((total + words))
done < "$TMP"
echo "total $total words"
