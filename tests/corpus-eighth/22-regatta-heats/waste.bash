#!/usr/bin/env bash
# Picks the winner of each heat of a regatta and counts the wins of the clubs.
set -eu

declare -A wins=()
boats=0
heats=0
fastest=9999
where=''

winner() {
  local line seconds best=9999
  local -a lane
  WINNER=''
  for line in "$@"; do
    lane=($line)
    seconds=${lane[1]}
    if (( seconds < best )); then
      best=$seconds
      WINNER=${lane[2]}
    fi
  done
  SECONDS_BEST=$best
}

for heat in heats/*.txt; do
  lanes=$(wc -l < "$heat")
  mapfile -t lines < "$heat"
  if (( lanes < 2 )); then
    continue
  fi
  winner "${lines[@]}"
  wins[$WINNER]=$(( ${wins[$WINNER]:-0} + 1 ))
  boats=$(( boats + lanes ))
  heats=$(( heats + 1 ))
  if (( SECONDS_BEST < fastest )); then
    fastest=$SECONDS_BEST
    where=${heat##*/}
  fi
done

for club in club0 club1 club2 club3 club4; do
  echo "$club ${wins[$club]:-0}"
done
echo "$heats heats, $boats boats, fastest $fastest s in $where"
