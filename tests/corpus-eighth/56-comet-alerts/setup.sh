i=1
while [ $i -le 45 ]; do echo "comet$((i % 11)) $((i * 29 % 140)) $((i * 17 % 90))"; i=$((i + 1)); done > sightings.txt
