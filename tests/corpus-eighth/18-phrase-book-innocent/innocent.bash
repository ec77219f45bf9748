#!/usr/bin/env bash
# Rewrites British phrases for American readers through one long-running sed;
# a phrase that comes back changed is asked again until it stays as it is.
set -eu

coproc helper {
  sed -u -e 's/colour/color/; t' -e 's/harbour/harbor/; t' -e 's/theatre/theater/; t' \
    -e 's/centre/center/; t' -e 's/grey/gray/'
}

ask() {
  printf '%s\n' "$1" >&"${helper[1]}"
  IFS= read -r REPLY <&"${helper[0]}"
}

mapfile -t phrases < phrases.txt
book=''
changed=0
asked=0
helper_pid=$helper_PID
for phrase in "${phrases[@]}"; do
  now=$phrase
  while :; do
    ask "$now"
    asked=$(( asked + 1 ))
    [[ $REPLY == "$now" ]] && break
    now=$REPLY
    changed=$(( changed + 1 ))
  done
  book+="$now"$'\n'
done

exec {helper[1]}>&-
wait "$helper_pid" || true

printf '%s' "$book" > book.txt
echo "${#phrases[@]} phrases, $asked questions, $changed words changed"
