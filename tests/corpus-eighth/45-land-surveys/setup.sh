rm -rf deeds; mkdir deeds
i=1
while [ $i -le 40 ]; do echo "plot$((i % 8)) $((i * 37 % 400)) $((i * 53 % 300))"; i=$((i + 1)); done > points.txt
