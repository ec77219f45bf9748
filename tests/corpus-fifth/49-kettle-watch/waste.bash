#!/bin/bash
# Brews four sorts of tea, one after the other; the kettle (a program of its own) tells the result in a file.
set -eu

kettle() {
    local sort=$1 degrees=$2
    sleep "0.0$((degrees / 12))"
    echo "$sort at $degrees degrees" > "brew/$sort.tmp"
    mv "brew/$sort.tmp" "brew/$sort"
}

# naps without starting a program: reads from a pipe on which nothing ever comes
exec {never}<> <(:)
nap() { read -rt 0.003 -u "$never" _ || true; }

await() {
    local file=$1 tries=0
    while [[ ! -e $file ]]; do
        nap
        tries=$((tries + 1))
        if ((tries > 1500)); then
            echo "$file: the kettle is broken" >&2
            exit 1
        fi
    done
}

cups=0
while read -r sort degrees number; do
    kettle "$sort" "$degrees" &
    await "brew/$sort"
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
wait
echo "cups: $cups"
