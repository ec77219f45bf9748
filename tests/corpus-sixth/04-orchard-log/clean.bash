#!/bin/bash
# Checks the harvest list and keeps a log of odd trees.

exec 3> orchard.log

say() {
  local level=$1; shift
  printf '%s: %s\n' "$level" "$*" >&3
}

mapfile -t rows < harvest.txt
total=0 sick=0 empty=0
for row in "${rows[@]}"; do
  f=($row)
  tree=${f[0]} kilos=${f[1]} spots=${f[2]}
  (( total += kilos ))
  if (( kilos == 0 )); then
    say warn "$tree bears nothing"
    (( ++empty ))
  elif (( spots > 6 )); then
    say warn "$tree has $spots spots"
    (( ++sick ))
  else
    say info "$tree $kilos kg"
  fi
done
exec 3>&-

mapfile -t logged < orchard.log
echo "trees ${#rows[@]}, kilos $total"
echo "sick $sick, empty $empty"
echo "log lines ${#logged[@]}"
