rm -rf survey; d=survey/2019/north/bogs/raised/walks; mkdir -p $d
i=1
while [ $i -le 45 ]; do echo "$((i * 7 % 12)) $((i * 5 % 9)) $((i % 3))" > $d/walk$i.txt; i=$((i + 1)); done
