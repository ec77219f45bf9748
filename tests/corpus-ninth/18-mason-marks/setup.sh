i=1
while [ $i -le 56 ]; do
  echo "$((i * 5 % 30)) $((i * 3 % 17)) mason$((i % 8)) $((1180 + i % 40))"
  i=$((i + 1))
done > survey.txt
