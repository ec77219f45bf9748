rm -f wheels.txt
i=1
while [ $i -le 60 ]; do echo "MESSAGE NUMBER $i TO BE SENT AT $((i % 24)) HOURS"; i=$((i + 1)); done > plain.txt
