{
  i=0
  while [ $i -lt 150 ]; do
    printf "\\$(printf %o $((i % 60 + 32)))\\000"
    printf "\\$(printf %o $((i * 7 % 90 + 33)))\\001\\000\\000"
    printf 'STAR%04d' $((i * 13 % 57))
    i=$((i + 1))
  done
} > sights.bin
