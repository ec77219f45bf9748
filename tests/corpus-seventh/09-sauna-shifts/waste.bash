#!/bin/bash
# Sums up what the guests of the sauna have to pay, by kind of guest.
set -u

declare -A rate=([adult]=9 [child]=4 [senior]=6)
declare -A sum=() count=()
night_extra=2

local_rates() {
    if [[ -r rates.local ]]; then
        # shellcheck disable=SC1091
        . ./rates.local
    fi
}

charge() {
    local kind=$1 hours=$2 time=$3
    local_rates
    local price=$(( ${rate[$kind]} * hours ))
    if [[ $time == night ]]; then
        price=$(( price + night_extra ))
    fi
    sum[$kind]=$(( ${sum[$kind]:-0} + price ))
    count[$kind]=$(( ${count[$kind]:-0} + 1 ))
}

mapfile -t guests < guests.txt
for guest in "${guests[@]}"; do
    # shellcheck disable=SC2086
    set -- $guest
    charge "$1" "$2" "$3"
done

total=0
for kind in adult child senior; do
    printf '%-7s %2d guests %4d crowns\n' "$kind" "${count[$kind]}" "${sum[$kind]}"
    total=$(( total + ${sum[$kind]} ))
done
echo "total $total"
