for farm in north south mill; do
  i=0
  while [ $i -lt 400 ]; do printf 'field%03d %4d mm %3d days %-8s\n' $i $((i * 7 % 180)) $((i * 3 % 200)) growing; i=$((i + 1)); done > $farm.dat
done
