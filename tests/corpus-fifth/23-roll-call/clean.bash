#!/bin/bash
# Reads the roll of each class of a school and reports the absent pupils and late minutes.
set -eu

threshold=20

call_roll() {
    local file=$1 line lines name state late
    absent=() minutes=0 worst='' worst_late=-1
    mapfile -t lines < "$file"
    for line in "${lines[@]}"; do
        name=${line%% *} late=${line##* }
        state=${line#* } state=${state% *}
        if [[ $state == absent ]]; then
            absent+=("$name")
            continue
        fi
        minutes=$((minutes + late))
        if ((late > worst_late)); then
            worst=$name
            worst_late=$late
        fi
    done
}

total=0 away=0 letters=()
for file in classes/class*.txt; do
    class=${file##*/}
    class=${class%.txt}
    call_roll "$file"
    printf '%-8s absent %2d, late %4d min, worst %s (%d)\n' \
        "$class" "${#absent[@]}" "$minutes" "$worst" "$worst_late"
    if ((worst_late > threshold)); then
        letters+=("$class/$worst")
    fi
    total=$((total + minutes))
    away=$((away + ${#absent[@]}))
done

echo "school: $away absent, $total minutes late"
echo "letters to the parents of: ${letters[*]}"
