#!/usr/bin/env bash
# Nights and fees of a mountain lodge, from its register.
set -eu

declare -A nights=() fees=()
guests=0
dormitory=0

fee() {
  local room=$1 count=$2 kind=$3 rate=12
  [[ $kind == member ]] && rate=8
  (( room == 1 )) && rate=$(( rate + 6 ))
  REPLY=$(( rate * count ))
}

enter() {
  local room=$2 count=$3 kind=$4
  (( count > 0 )) || return 0
  fee "$room" "$count" "$kind"
  nights[$kind]=$(( ${nights[$kind]:-0} + count ))
  fees[$kind]=$(( ${fees[$kind]:-0} + REPLY ))
  guests=$(( guests + 1 ))
  if (( room > 4 )); then
    dormitory=$(( dormitory + count ))
  fi
}

while IFS=, read -r name room count kind; do
  enter "$name" "$room" "$count" "$kind"
done < register.csv

{
  echo "members ${nights[member]} nights, fees ${fees[member]}"
  echo "visitors ${nights[visitor]} nights, fees ${fees[visitor]}"
} > nights.txt
cat nights.txt
echo "$guests guests, $dormitory nights in the dormitory"
