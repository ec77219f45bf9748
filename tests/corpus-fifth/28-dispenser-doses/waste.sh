#!/bin/sh
# Books the doses a ward has taken out of the medicine cabinet.
set -eu

stock=stock.db

# book NAME COUNT: writes the stock file anew with COUNT less of NAME
book() {
    left=-1
    old=$(cat "$stock")
    new=$(printf '%s\n' "$old" | while read -r name n; do
        if [ "$name" = "$1" ]; then
            n=$((n - $2))
        fi
        echo "$name $n"
    done)
    printf '%s\n' "$new" > "$stock"
}

count_of() {
    while read -r name n; do
        if [ "$name" = "$1" ]; then
            echo "$n"
            return
        fi
    done < "$stock"
    echo 0
}

doses=$(cat doses.txt)
set -- $doses
while [ $# -ge 2 ]; do
    had=$(count_of "$1")
    if [ "$had" -lt "$2" ]; then
        echo "not enough $1"
    else
        book "$1" "$2"
        echo "$2 of $1 taken, $(count_of "$1") left"
    fi
    shift 2
done
cat "$stock"
