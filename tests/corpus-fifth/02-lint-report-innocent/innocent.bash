#!/bin/bash
# Checks each unit with an outside checker and keeps its complaints, one report for each unit.
set -eu

errors=errors.log
checker='/goto/ { print FILENAME ": line " FNR ": goto" > "/dev/stderr"; bad = 1 }
         END { exit bad }'

check() {
    # the checker is another program; it may complain and yet succeed, or fail without a word
    awk "$checker" "$1" 2>> "$errors"
}

keep_report() {
    local unit=$1
    mv "$errors" "reports/$unit.log"
}

good=0 complained=()
for file in units/u*.txt; do
    unit=${file##*/}
    unit=${unit%.txt}
    if check "$file"; then
        state=ok
    else
        state=failed
    fi
    # did this run of the checker leave anything?
    if [[ -s $errors ]]; then
        keep_report "$unit"
        complained+=("$unit:$state")
    else
        good=$((good + 1))
    fi
done

echo "$good units without a complaint"
echo "complaints: ${complained[*]}"
for report in reports/*.log; do
    mapfile -t lines < "$report"
    echo "${lines[0]}"
done
