#!/bin/bash
# Works out the pay of the night shifts; a holiday file of the site doubles the rate.
set -eu

site=${SITE:-.}
rate=21
declare -A pay hours
doubled=0

# A site may keep its own holidays, one YYYY-MM-DD a line.
is_holiday() {
    local day=$1 line
    local file=$site/holidays-${day%%-*}.txt
    [[ -r $file ]] || return 1
    while read -r line; do
        [[ $line == "$day" ]] && return 0
    done < "$file"
    return 1
}

is_fair() {
    # the days of the October fair count too
    [[ $1 == *-10-1[0-9] ]]
}

mapfile -t shifts < shifts.txt
for shift_line in "${shifts[@]}"; do
    set -- $shift_line
    who=$1 day=$2 h=$3
    r=$rate
    if is_holiday "$day" || is_fair "$day"; then
        r=$((rate * 2))
        doubled=$((doubled + 1))
    fi
    pay[$who]=$(( ${pay[$who]:-0} + h * r ))
    hours[$who]=$(( ${hours[$who]:-0} + h ))
done

for who in ana bo cy dee ed; do
    printf '%-4s %4d h %6d\n' "$who" "${hours[$who]}" "${pay[$who]}"
done
echo "$doubled shifts at double rate"
