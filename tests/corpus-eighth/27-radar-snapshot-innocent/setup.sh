rm -f radar.json radar.json.new
i=1
while [ $i -le 20 ]; do echo "$((i * 37 % 360)) $((i * 11 % 90 + 5)) $((i * 7 % 50))"; i=$((i + 1)); done > echoes.txt
