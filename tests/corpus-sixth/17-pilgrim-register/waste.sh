#!/bin/sh
# Summary of the register of a pilgrims' hostel.
set -eu

register=register.txt

summary() {
  guests=0
  foot=0
  horse=0
  cart=0
  miles=0
  far=
  farthest=0
  while read -r name way leagues; do
    guests=$((guests + 1))
    miles=$((miles + leagues * 3))
    case $way in
      foot) foot=$((foot + 1)) ;;
      horse) horse=$((horse + 1)) ;;
      cart) cart=$((cart + 1)) ;;
    esac
    if [ "$leagues" -gt "$farthest" ]; then
      farthest=$leagues
      far=$name
    fi
  done < "$register"
  echo "guests $guests"
  echo "on foot $foot, by horse $horse, by cart $cart"
  echo "miles $miles"
  echo "farthest $far, $farthest leagues"
}

if [ ! -s "$register" ]; then
  echo "nobody came"
  exit 0
fi
summary
echo "end of the register"
