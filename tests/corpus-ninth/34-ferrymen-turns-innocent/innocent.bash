#!/bin/bash
# The ferrymen's lots are drawn by whoever takes the landing's lock first.

set -o noclobber
lock_dir=/tmp/ninth-b
drawn=0
busy=0
held=()

release() {
  if ((${#held[@]})); then
    rm -f "${held[@]}"
  fi
}
trap release EXIT

take() {
  local lock=$lock_dir/landing-$1.lock
  if { echo $$ > "$lock"; } 2> /dev/null; then
    held+=("$lock")
    return 0
  fi
  return 1
}

declare -A man
while read -r landing ferryman; do
  if take "$landing"; then
    man[$landing]=$ferryman
    drawn=$((drawn + 1))
  else
    busy=$((busy + 1))
  fi
done < landings.txt

for landing in "${!man[@]}"; do
  echo "$landing ${man[$landing]}"
done | sort >| turns.txt

echo "$drawn landings drawn, $busy refused"
head -n 1 turns.txt
