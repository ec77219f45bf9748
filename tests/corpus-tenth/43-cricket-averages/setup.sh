mkdir -p players
i=10
while [ $i -lt 34 ]; do
  printf 'BATS%04d%04d%04d' $((i * 17)) $((i % 9 + 3)) $((i * 3)) > players/p$i.bat
  i=$((i+1))
done
