for s in well mill ford ruin cave pass hut tower; do echo "$s.glyph=${s#?}"; echo "$s.weight=${#s}"; done > symbols.properties
set -- well mill ford ruin cave pass hut tower
i=1
while [ $i -le 60 ]; do eval "k=\${$((i * 3 % 8 + 1))}"; echo "$k $((i * 37 % 100)) $((i * 53 % 100))"; i=$((i + 1)); done > features.txt
