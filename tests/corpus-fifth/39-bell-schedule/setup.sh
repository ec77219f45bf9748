mkdir -p live
for d in mon tue wed thu fri; do
  i=0; while [ $i -lt 8 ]; do echo "$((8 + i)):$((i * 7 % 6))0 lesson$i"; i=$((i + 1)); done > $d.in
  echo "old schedule of $d" > live/$d.bell
done
