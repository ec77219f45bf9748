{
  printf 'MRNT 120 4096  \n'
  i=0
  while [ $i -lt 120 ]; do printf "%04095d\n" $((i * 7919 + 13)); i=$((i + 1)); done
} > show.mrn
