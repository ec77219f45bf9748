mkdir -p films
i=1
while [ $i -le 6 ]; do printf "%0$((1500000 + i * 1000))d" $((i * 987654321)) > films/pool$i.raw; i=$((i + 1)); done
