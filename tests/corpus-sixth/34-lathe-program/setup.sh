mkdir -p jobs
for j in bolt nut shaft; do
  i=0; while [ $i -lt 30 ]; do echo "G1 X$((i * 7 % 19)) Z$((i * 3 % 23)) F$((i % 4 * 50 + 100))"; i=$((i + 1)); done > jobs/$j.nc
done
