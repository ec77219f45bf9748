#!/bin/bash
# The workers share one open work list and one result list.
set -e
exec 3< work.list 4> result.list

worker() {
    # inherits 3 and 4 from the dispatcher
    awk -v me="$1" '{ s += $2 } END { print me, NR, s > "/dev/fd/4" }' <&3
}

feed() {
    local i line
    for ((i = 0; i < $1; i++)); do
        read -r -u 3 line || return 0
        set -- "$1" "$line"
        printf '%s\n' "$line"
    done
}

head_sum=$(feed 5 | awk '{ s += $2 } END { print s }')
worker main
exec 3<&- 4>&-

read -r name count sum < result.list
echo "$name: $count lines, $sum (head $head_sum)"
