i=0
while [ $i -lt 400 ]; do printf 'sheaf %03d weight %02d %01003d\n' $i $((i * 11 % 37)) $i; i=$((i + 1)); done > sheaves.txt
