#!/bin/bash
# Settles the toll of a bridge for one day.

declare -A price=([lorry]=14 [car]=5 [bus]=9 [bike]=0)
declare -A count taken

book() {
  local time=$1 kind=$2 riders=$3 plate=$4
  local toll=${price[$kind]}
  if [[ $kind != bus ]]; then
    (( toll += riders / 4 ))
  fi
  (( ++count[$kind] ))
  (( taken[$kind] += toll ))
  (( sum += toll ))
  if (( ${time%%:*} < 8 )); then
    (( ++early ))
  fi
  if [[ $plate == N1* ]]; then
    (( ++local_plates ))
  fi
}

sum=0 early=0 local_plates=0

mapfile -t lines < toll.csv
set -f
IFS=';'
for line in "${lines[@]}"; do
  book $line
done
unset IFS

for kind in lorry car bus bike; do
  printf '%-6s %4d passed, %5d taken\n' "$kind" "${count[$kind]}" "${taken[$kind]}"
done
echo "sum $sum, early $early, local $local_plates"
