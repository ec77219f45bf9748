#!/bin/sh
# Prints the shelf labels for a batch of honey jars.

linden=9
clover=7
forest=11

price_of() {
  if [ -r ./local-prices.sh ]; then
    . ./local-prices.sh
  fi
  case $1 in
    linden) rate=$linden ;;
    clover) rate=$clover ;;
    forest) rate=$forest ;;
    *) echo "unknown honey $1" >&2; exit 1 ;;
  esac
  price=$((rate * $2 / 10))
}

total=0
count=0
heavy=0
{
  # shellcheck disable=SC2013
  set -f
  # three words on each line: number, kind, grams
  set -- $(cat jars.txt)
  while [ $# -ge 3 ]; do
    price_of "$2" "$3"
    printf 'No. %s  %s honey  %s g  %s.%s0\n' "$1" "$2" "$3" $((price / 10)) $((price % 10))
    total=$((total + price))
    count=$((count + 1))
    if [ "$3" -gt 400 ]; then
      heavy=$((heavy + 1))
    fi
    shift 3
  done
} > labels.txt

echo "$count labels, $heavy heavy"
echo "worth $((total / 10)).$((total % 10))"
