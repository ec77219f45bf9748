#!/bin/bash
# Reckons bricks and mortar for the walls of a site (length and height in metres).

declare -A per_metre=([flemish]=79 [english]=89 [stretcher]=60 [monk]=84)
lines=()
bricks_all=0
mortar_all=0

allowance() {
    # more broken bricks in frost
    if [[ -f site/weather.now ]] && grep -q frost site/weather.now; then
        extra=9
    else
        extra=5
    fi
}

rate() {
    local bond=$1
    bricks=${per_metre[$bond]:-60}
    if [[ -f bonds.local ]]; then
        local line
        while read -r line; do
            [[ ${line%% *} == "$bond" ]] && bricks=${line##* }
        done < bonds.local
    fi
}

mapfile -t walls < walls.txt
for wall in "${walls[@]}"; do
    set -- $wall
    rate "$2"
    allowance
    need=$(( bricks * $3 * $4 * (100 + extra) / 100 ))
    mortar=$(( need * 6 / 10 ))
    bricks_all=$(( bricks_all + need ))
    mortar_all=$(( mortar_all + mortar ))
    lines+=("$1 ($2): $need bricks, $mortar kg of mortar")
done

printf '%s\n' "${lines[@]}" > estimate.txt
echo "${#walls[@]} walls"
echo "$bricks_all bricks, $mortar_all kg of mortar"
