#!/bin/bash
# Sorts an inbox listing into folders.
set -e
n_work=0
n_home=0

file_work() {
    printf '%s\n' "$1" >> out/work.txt
    n_work=$((n_work + 1))
}

file_home() {
    printf '%s\n' "$1" >> out/home.txt
    n_home=$((n_home + 1))
}

mapfile -t lines < inbox.txt
for line in "${lines[@]}"; do
    id=${line%% *}
    subject=${line##* }
    if [[ $line == *' 0 '* ]]; then
        file_home "$id $subject"
    else
        file_work "$id $subject"
    fi
done
echo "$n_work work, $n_home home"
