mkdir -p cores
i=1
while [ $i -le 32 ]; do
  printf 'CORE %03d depth %05d layers %02d\n' $i $((i * 311 % 9000)) $((i % 13 + 1)) > cores/c$i.dat
  seq $i $((i + 1500)) >> cores/c$i.dat
  i=$((i + 1))
done
