{
  printf 'BAROGRAPH 1\n'
  i=0
  while [ $i -lt 400 ]; do printf '%02d%04d' $((i / 17 % 24)) $((9500 + i * 7 % 431)); i=$((i + 1)); done
} > drum.bin
