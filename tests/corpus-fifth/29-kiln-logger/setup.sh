# 40 seconds of kiln readings: most seconds the temperature does not move
i=0; t=610
while [ $i -lt 40 ]; do
  case $i in 0|7|19|28) t=$((t + 15));; esac
  echo "$i $t"
  i=$((i + 1))
done > readings.txt
