#!/bin/sh
# Weaves rows until the pattern is done or the row checker asks for a halt.
set -eu

rows=40
row=0
cloth=

weave() {
  n=$1
  case $((n % 4)) in
    0) pattern='x.x.x.x.' ;;
    1) pattern='.x.x.x.x' ;;
    2) pattern='xx..xx..' ;;
    *) pattern='..xx..xx' ;;
  esac
  cloth="$cloth$pattern
"
}

halted=no
while [ "$row" -lt "$rows" ]; do
  if [ -e halt ]; then
    halted=yes
    break
  fi
  row=$((row + 1))
  weave "$row"
  sh ./check-row "$row"
done

printf '%s' "$cloth" > cloth.txt
if [ "$halted" = yes ]; then
  reason=$(cat halt)
  echo "stopped after $row rows: $reason"
else
  echo "all $row rows woven"
fi
