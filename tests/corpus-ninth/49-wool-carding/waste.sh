#!/bin/sh
# Has the fleeces weighed by a helper while it prints the buyers, then prints the bill.

fleeces=fleeces.txt
result=weighed.txt

weigh() {
  sleep 0.4
  awk '{ kilos[$1] += $2; n[$1]++ } END { for (f in kilos) print f, n[f], kilos[f] }' "$fleeces" |
    sort > "$result.part"
  mv "$result.part" "$result"
}

rm -f "$result"
weigh &
helper=$!

buyers=0
while read -r buyer price; do
  echo "buyer $buyer pays $price a kilo"
  buyers=$((buyers + 1))
  best=${best:-$price}
  if [ "$price" -gt "$best" ]; then
    best=$price
  fi
done < buyers.txt

while [ ! -f "$result" ]; do
  sleep 0.01
done
wait "$helper"

farms=0
money=0
while read -r farm count kilos; do
  farms=$((farms + 1))
  money=$((money + kilos * best))
  echo "$farm: $count fleeces, $kilos kg"
done < "$result"

echo "$farms farms, $buyers buyers, $money pence at $best"
