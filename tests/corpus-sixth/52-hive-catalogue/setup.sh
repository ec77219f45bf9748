mkdir -p hives/hill hives/meadow
i=1
while [ $i -le 60 ]; do echo $((i * 7 % 31)) > hives/hill/h$i; echo $((i * 5 % 29)) > hives/meadow/m$i; i=$((i + 1)); done
