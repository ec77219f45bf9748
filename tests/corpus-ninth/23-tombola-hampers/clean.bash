#!/bin/bash
# Draws the hampers: a ticket wins if its number fits the rule of its colour.

declare -A rule=([red]=5 [blue]=7 [green]=9 [white]=11)
declare -A won=()
winners=()
sold=0

wins() {
    local number=$1 colour=$2
    local every=${rule[$colour]:-0}
    (( every > 0 && number % every == 0 ))
}

prize() {
    local number=$1
    case $((number % 3)) in
        0) echo_prize="tea and shortbread" ;;
        1) echo_prize="preserves" ;;
        *) echo_prize="cheese" ;;
    esac
}

check() {
    local number=$1 colour=$2 holder=$3
    sold=$((sold + 1))
    if wins "$number" "$colour"; then
        prize "$number"
        winners+=("$number $holder: $echo_prize")
        won[$colour]=$(( ${won[$colour]:-0} + 1 ))
    fi
}

mapfile -t tickets < tickets.txt
for ticket in "${tickets[@]}"; do
    number=${ticket%% *}
    holder=${ticket##* }
    colour=${ticket#* }
    colour=${colour%% *}
    check "$number" "$colour" "$holder"
done

printf '%s\n' "${winners[@]}" > winners.txt
printf '%d tickets sold, %d hampers won\n' "$sold" "${#winners[@]}"
for colour in red blue green white; do
    printf '%s: %d\n' "$colour" "${won[$colour]:-0}"
done
