rm -rf tests; mkdir tests
i=1
while [ $i -le 32 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  case $((i % 3)) in 0) v0=celadon ;; 1) v0=tenmoku ;; *) v0=ash ;; esac
  printf 'cone %d\nflux %d\ncolour %s\n' $((i % 5 + 4)) $((i * 7 % 40)) $v0 > tests/t$p.txt
  i=$((i + 1))
done
