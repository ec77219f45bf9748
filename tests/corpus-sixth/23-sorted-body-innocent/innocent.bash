#!/bin/bash
# Sorts the results of each heat by time; the head line stays on top.

export LC_ALL=C
mkdir -p sorted

sort_body() {
  local in=$1 out=$2
  {
    IFS= read -r head
    printf '%s\n' "$head"
    sort -t , -k 2,2n -k 1,1
  } < "$in" > "$out"
}

heats=0 rows=0 best=9999 winner=
for (( i = 1; i <= 15; i++ )); do
  sort_body "results/heat$i.csv" "sorted/heat$i.csv" || exit 1
  mapfile -t lines < "sorted/heat$i.csv"
  if [[ ${lines[0]} != runner,seconds ]]; then
    echo "heat $i has lost its head" >&2
    exit 1
  fi
  (( ++heats ))
  (( rows += ${#lines[@]} - 1 ))
  first=${lines[1]}
  if (( ${first#*,} < best )); then
    best=${first#*,}
    winner="${first%,*} in heat $i"
  fi
done

echo "$heats heats, $rows results"
echo "best: $winner, $best s"
