#!/bin/sh
# Computes the daily ration of each horse of a stable.
# extra.conf may set `bonus`, in grams, for cold days.
set -eu

bonus=0
oats=0
hay=0
count=0

ration() {
  weight=$1
  work=$2
  if [ -f extra.conf ]; then
    . ./extra.conf
  fi
  hay_g=$((weight * 15))
  case $work in
    0) oats_g=0 ;;
    1) oats_g=$((weight * 2)) ;;
    2) oats_g=$((weight * 4)) ;;
    *) oats_g=$((weight * 6)) ;;
  esac
  oats_g=$((oats_g + bonus))
}

list=
for entry in $(cat horses.txt); do
  name=${entry%%:*}
  rest=${entry#*:}
  ration "${rest%%:*}" "${rest#*:}"
  hay=$((hay + hay_g))
  oats=$((oats + oats_g))
  count=$((count + 1))
  list="$list$name hay $hay_g oats $oats_g
"
done

printf '%s' "$list" > feeds.txt
echo "$count horses: $((hay / 1000)) kg of hay, $((oats / 1000)) kg of oats"
