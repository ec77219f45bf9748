i=1
while [ $i -le 120 ]; do echo "team$((i % 6)) q$((i % 20)) $((i * 13 % 4))"; i=$((i + 1)); done > answers.txt
