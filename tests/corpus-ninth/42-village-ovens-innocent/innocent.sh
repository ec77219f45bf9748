#!/bin/sh
# Has each village's oven built by the village's own script.
set -e

if [ ! -s list.txt ]; then
  echo "no villages"
  exit 1
fi

built=0
stones=0

{
  while read -r village; do
    (
      cd "villages/$village"
      sh ./oven.sh
    )
    n=$(wc -l < "villages/$village/oven.txt")
    stones=$((stones + n))
    built=$((built + 1))
    echo "$village $n"
  done < list.txt
} > built.txt

echo "$built ovens of $stones stones"
sort -k 2,2nr -k 1,1 built.txt | head -n 1

for village in $(sort list.txt | head -n 3); do
  echo "$village: $(head -n 1 "villages/$village/oven.txt")"
done
