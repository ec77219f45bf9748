#!/bin/sh
# Summary of the register of a pilgrims' hostel.
set -eu

register=register.txt

summary() {
  awk '
    {
      guests++
      miles += $3 * 3
      by[$2]++
      if ($3 > farthest) {
        farthest = $3
        far = $1
      }
    }
    END {
      print "guests " guests
      print "on foot " by["foot"] + 0 ", by horse " by["horse"] + 0 ", by cart " by["cart"] + 0
      print "miles " miles + 0
      print "farthest " far ", " farthest + 0 " leagues"
    }
  ' < "$register"
}

if [ ! -s "$register" ]; then
  echo "nobody came"
  exit 0
fi
summary
echo "end of the register"
