#!/bin/bash
# Brews four sorts of tea, one after the other; the kettle (a program of its own) tells the result in a file.
set -eu

kettle() {
    local sort=$1 degrees=$2
    sleep "0.0$((degrees / 12))"
    echo "$sort at $degrees degrees" > "brew/$sort.tmp"
    mv "brew/$sort.tmp" "brew/$sort"
}

await() {
    if ! wait "$1"; then
        echo "the kettle is broken" >&2
        exit 1
    fi
}

cups=0
while read -r sort degrees number; do
    kettle "$sort" "$degrees" &
    await $!
    read -r line < "brew/$sort"
    for ((i = 1; i <= number; i++)); do
        cups=$((cups + 1))
        echo "cup $cups: $line"
    done
done <<'END'
green 72 2
black 96 2
mint 90 3
rooibos 98 1
END
echo "cups: $cups"
