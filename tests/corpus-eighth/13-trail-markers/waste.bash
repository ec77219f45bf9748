#!/usr/bin/env bash
# Reports the state of the trail markers; names carry trail, kilometre and state.
set -eu

declare -A total=() worn=() first=()

note() {
  local name=$1 trail km state rest
  rest=${name%.gpx}
  trail=${rest%%-*}
  rest=${rest#*-}
  km=${rest%%-*}
  state=${rest#*-}
  total[$trail]=$(( ${total[$trail]:-0} + 1 ))
  if [[ $state == worn ]]; then
    worn[$trail]=$(( ${worn[$trail]:-0} + 1 ))
    [[ -n ${first[$trail]:-} ]] || first[$trail]=${km#km}
  fi
}

count=0
for path in markers/*.gpx; do
  [[ -e $path ]] || continue
  note "${path##*/}"
  count=$(( count + 1 ))
done

report=''
for trail in trail0 trail1 trail2 trail3 trail4; do
  printf -v line '%s: %d markers, %d worn, first at km %s\n' \
    "$trail" "${total[$trail]:-0}" "${worn[$trail]:-0}" "${first[$trail]:--}"
  report+=$line
done
printf '%s' "$report" > trails.txt
printf '%s' "$report"
echo "$count markers"
