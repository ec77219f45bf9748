mkdir -p stables
for s in oak mill ford hill; do i=0; while [ $i -lt $((${#s} * 9)) ]; do echo "horse $((i * 7 % 50)) $s"; i=$((i + 1)); done > stables/$s.txt; done
