#!/bin/bash
# Turns the goal feed of a match day into one board per team.

declare -A goals lines

board_ready() {
  [[ -d board && -w board ]] || { echo "board not writable" >&2; return 1; }
}

record_goal() {
  local minute=$1 team=$2 player=$3
  board_ready || return 1
  goals[$team]=$(( ${goals[$team]:-0} + 1 ))
  lines[$team]+="$minute' $player"$'\n'
}

mapfile -t feed < feed.txt
for entry in "${feed[@]}"; do
  goal=($entry)
  record_goal "${goal[@]}" || exit 1
done

total=0
for n in 0 1 2 3 4 5 6 7; do
  team=team$n
  {
    printf 'goals %d\n' "${goals[$team]}"
    printf '%s' "${lines[$team]}"
  } > "board/$team.txt"
  printf '%s: %d goals\n' "$team" "${goals[$team]}"
  (( total += goals[$team] ))
done
echo "total $total"
