#!/usr/bin/env bash
# Computes the duty on each cask; casks on the strong list pay double.
set -eu

mapfile -t casks < casks.txt
mapfile -t strong < strong.lst

declare -A is_strong=()
for name in "${strong[@]}"; do
  is_strong[$name]=1
done

have_list=no
if [[ -f strong.lst && -r strong.lst ]]; then
  have_list=yes
fi

duty() {
  local name=$1 litres=$2 degree=$3 rate=2
  (( degree > 7 )) && rate=3
  if [[ $have_list == yes && -n ${is_strong[$name]:-} ]]; then
    rate=$(( rate * 2 ))
  fi
  REPLY=$(( litres * rate ))
}

total=0
out=''
for line in "${casks[@]}"; do
  cask=($line)
  name=${cask[0]}
  duty "${cask[@]}"
  out+="$name $REPLY"$'\n'
  total=$(( total + REPLY ))
done
printf '%s' "$out" > duty.txt
echo "${#casks[@]} casks, duty $total"
