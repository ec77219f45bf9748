#!/bin/bash
# Decides for each reading whether the terrarium's mister runs.

declare -A target=([fern]=80 [frog]=70 [gecko]=45)
declare -A runs
diary=diary.txt
: > "$diary"

note() {
  printf '%s %-6s %s\n' "$1" "$2" "$3" >> "$diary"
}

too_dry=0
fine=0
while read -r clock tank humidity; do
  want=${target[$tank]}
  if ((humidity < want - 5)); then
    seconds=$(((want - humidity) / 2))
    note "$clock" "$tank" "mist ${seconds}s at ${humidity}%"
    ((runs[$tank] += seconds))
    too_dry=$((too_dry + 1))
  elif ((humidity > want + 15)); then
    note "$clock" "$tank" "lid open at ${humidity}%"
  else
    note "$clock" "$tank" "left alone"
    fine=$((fine + 1))
  fi
done < readings.txt

for tank in fern frog gecko; do
  note 24:00 "$tank" "misted ${runs[$tank]:-0}s"
done

echo "$too_dry times too dry, $fine times fine"
echo "fern ${runs[fern]}s, frog ${runs[frog]}s, gecko ${runs[gecko]}s"
