rm -f mill.log
i=1
while [ $i -le 60 ]; do echo "$i $(( (i * 17) % 40 - 12 ))"; i=$((i + 1)); done > heads.txt
