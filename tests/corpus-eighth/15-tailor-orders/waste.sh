#!/bin/sh
# Writes a work slip for each order of a tailor, sorted into folders by day.
set -eu

slips=0
cloth=0

need() {
  case $1 in
    suit) metres=4 ;;
    coat) metres=3 ;;
    *) metres=2 ;;
  esac
}

for order in $(cat orders.txt); do
  day=${order%%:*}
  rest=${order#*:}
  number=${rest%%:*}
  rest=${rest#*:}
  chest=${rest%%:*}
  what=${rest#*:}
  need "$what"
  [ "$chest" -gt 110 ] && metres=$((metres + 1))
  mkdir -p "workshop/$day"
  {
    echo "order $number: $what"
    echo "chest $chest cm, cloth $metres m"
  } > "workshop/$day/slip$number.txt"
  slips=$((slips + 1))
  cloth=$((cloth + metres))
done

for day in mon tue thu fri; do
  set -- "workshop/$day"/slip*.txt
  echo "$day: $# slips"
done
echo "$slips slips, $cloth m of cloth"
