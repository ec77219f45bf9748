mkdir -p nets
for n in 1 2 3 4 5; do
  i=0; while [ $i -lt 36 ]; do echo "R$((n * 1000 + i)) species$((i * n % 9)) $((60 + i * n % 40))"; i=$((i + 1)); done > nets/net$n.txt
done
