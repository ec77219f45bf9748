#!/bin/sh
# Enters a new singer, takes one out and books the dues of the year.
set -eu

LC_ALL=C
export LC_ALL

replace() {
  # replace FILE: put the lines from standard input in the place of FILE
  cat > "$1.new"
  mv "$1.new" "$1"
}

add_member() {
  { cat members.txt; echo "$1:$2:2026"; } | sort -t : -k 1.7n | replace members.txt
  { cat dues.txt; echo "$1:0"; } | sort -t : -k 1.7n | replace dues.txt
}

remove_member() {
  grep -v "^$1:" members.txt | replace members.txt
}

book_dues() {
  awk -F : -v OFS=: -v due="$1" '{ $2 += due; print }' dues.txt | replace dues.txt
}

add_member singer31 alto
remove_member singer7
book_dues 40

echo "members: $(grep -c . members.txt)"
for voice in soprano alto tenor bass; do
  echo "$voice: $(grep -c ":$voice:" members.txt)"
done
echo "dues: $(awk -F : '{ s += $2 } END { print s }' dues.txt)"
