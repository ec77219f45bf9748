#!/bin/bash
# Makes the text screens in front of the lecture halls, one file for each talk.
set -eu

count=0

frame() {
    local hall=$1 talk=$2 at=$3
    echo "+----------------------------+"
    printf '| %-26s |\n' "$hall"
    printf '| %-26s |\n' "$talk at $at"
    echo "+----------------------------+"
}

# to_screen FILE COMMAND...: runs the command with stdout turned to the screen's file.
to_screen() {
    local file=$1 keep
    shift
    exec {keep}>&1
    exec > "$file"
    "$@"
    exec >&"$keep"
}

while read -r hall talk at; do
    to_screen "screens/$hall-$talk.txt" frame "$hall" "$talk" "$at"
    count=$((count + 1))
done < programme.txt

echo "screens made: $count"
total=0
for f in screens/*.txt; do
    while read -r line; do
        total=$((total + ${#line}))
    done < "$f"
done
echo "characters on them: $total"
