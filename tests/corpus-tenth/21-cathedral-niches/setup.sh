i=0
while [ $i -lt 256 ]; do
  case $((i % 3)) in 0) s=caen;; *) s=tufa;; esac
  printf 'statue%04d niche%03d stone%-10s height%03d  %0976d\n' $i $((i * 7 % 300)) $s $((i * 11 % 150 + 40)) $i
  i=$((i + 1))
done > statues.reg
i=0
while [ $i -lt 90 ]; do echo "$((i * 101 % 256))"; i=$((i + 1)); done > tour.txt
