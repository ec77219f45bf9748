#!/bin/sh
# Prints address labels for the parishes, sorted by post town.
set -e

town_list=$(mktemp /tmp/ninth-b/labels.XXXXXXXX)
letters=$(mktemp /tmp/ninth-b/letters.XXXXXXXX)

trap 'rm -f "$town_list" "$letters"' EXIT

sort -t '|' -k 3,3 -k 1,1 parishes.txt > "$town_list"

last=
count=0
towns=0
{
while IFS='|' read -r parish priest town; do
  if [ "$town" != "$last" ]; then
    towns=$((towns + 1))
    echo "== $town"
    last=$town
  fi
  printf 'The Revd %s\n%s\n%s\n\n' "$priest" "$parish" "$town"
  count=$((count + 1))
done < "$town_list"
} > "$letters"

mkdir -p out
cat "$letters" > out/labels.txt
echo "$count labels for $towns towns"
grep -c '^The Revd' out/labels.txt
awk '/^== /{ print $2 }' out/labels.txt | tr '\n' ' '
echo
