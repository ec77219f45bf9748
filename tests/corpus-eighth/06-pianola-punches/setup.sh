rm -f roll.bin
i=0
while [ $i -lt 32 ]; do echo "$((i * 5 % 12)) $((i * 7 % 12)) $((i * 11 % 12))"; i=$((i + 1)); done > chords.txt
