#!/bin/sh
# Applies the day's changes to the ward's list of allergies.
set -eu

list=allergies.txt
added=0
dropped=0

store() {
  sync work.tmp
  mv work.tmp "$list"
  sync .
}

add() {
  { cat "$list"; echo "$1 $2"; } | sort -u > work.tmp
  store
  added=$((added + 1))
}

drop() {
  grep -v -x "$1 $2" "$list" | sort -u > work.tmp
  store
  dropped=$((dropped + 1))
}

set -- $(cat changes.txt)
while [ $# -ge 3 ]; do
  case $1 in
    add) add "$2" "$3" ;;
    drop) drop "$2" "$3" ;;
    *) exit 2 ;;
  esac
  shift 3
done

for what in iodine latex nuts penicillin; do
  n=$(grep -c " $what\$" "$list")
  echo "$what: $n"
done
echo "$added added, $dropped dropped"
