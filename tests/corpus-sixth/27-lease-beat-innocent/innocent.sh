#!/bin/sh
# Holds the lease of a pump controller: the others look at it while we work.
set -eu

boot=$(cat /proc/sys/kernel/random/boot_id)

lease_text() {
  printf 'boot=%s\nholder=pump1\nbeat=%d' "$boot" "$1"
}

beat() {
  # readers must see a whole lease or the one before, hence the rename
  { lease_text "$1"; echo; } > lease.tmp
  mv -f lease.tmp lease
}

lease_is_mine() {
  # a lease of another boot, of another holder or a damaged one is no lease
  [ "$(cat lease)" = "$(lease_text "$1")" ]
}

level=95
strokes=0
n=0
while [ "$n" -lt 8 ]; do
  n=$((n + 1))
  beat "$n"
  lease_is_mine "$n" || { echo "lease lost at beat $n" >&2; exit 1; }
  while [ "$level" -gt $((95 - n * 9)) ]; do
    level=$((level - 1))
    strokes=$((strokes + 1))
  done
done

echo "beats $n, strokes $strokes"
echo "level $level"
rm lease
