rm -rf drafts; mkdir drafts
i=1
while [ $i -le 30 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  { echo "draft $i shafts $((i % 4 * 2 + 2))"; j=0
    while [ $j -lt 10 ]; do echo "$((i * j % 7)) $((j % 5)) $((i % 3))"; j=$((j + 1)); done; } > drafts/d$p.wif
  i=$((i + 1))
done
