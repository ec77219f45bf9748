#!/bin/bash
# Lets the drawer draw a ball, and tells after each one how the odds stand.
set -eu

evens() {
    local ball
    even=0
    for ball in "$@"; do
        if (( ball % 2 == 0 )); then
            even=$(( even + 1 ))
        fi
    done
}

rounds=0
before=''
drawn=()
report=''
while :; do
    mapfile -t balls < drum.txt
    if [[ -n $before ]]; then
        # The first of the balls there were has been drawn.
        drawn+=("${before%% *}")
    fi
    if (( ${#balls[@]} == 0 )); then
        break
    fi
    evens "${balls[@]}"
    report+="${#balls[@]} balls left, $even even"$'\n'
    before="${balls[*]} "
    rounds=$(( rounds + 1 ))
    /bin/sh drawer.sh "$rounds"
done

printf '%srounds %d, drawn %s\n' "$report" "$rounds" "${drawn[*]}"
