#!/bin/bash
# Turns the readings of a weather station into the grid of hours that the web page shows.
set -eu

csv=grid.csv
exec {grid}> "$csv"
echo "hour,temp,wind,feels" >&"$grid"

frost=0
storm=0
highest=-99

feels_like() {
    local temp=$1 wind=$2
    feels=$((temp - wind / 10))
    if ((temp < 0)); then
        frost=$((frost + 1))
    fi
    if ((wind > 50)); then
        storm=$((storm + 1))
    fi
}

mapfile -t readings < station.txt
for reading in "${readings[@]}"; do
    set -- $reading
    hour=$1 temp=$2 wind=$3
    feels_like "$temp" "$wind"
    ((temp > highest)) && highest=$temp
    printf '%02d,%d,%d,%d\n' "$hour" "$temp" "$wind" "$feels" >&"$grid"
done
exec {grid}>&-

mapfile -t grid_lines < "$csv"

echo "rows: ${#grid_lines[@]}"
echo "frost: $frost, storm: $storm, highest: $highest"
