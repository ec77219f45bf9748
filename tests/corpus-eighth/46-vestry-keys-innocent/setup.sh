rm -rf keys; mkdir keys
for k in tower crypt organ garden chest; do
  i=1; while [ $i -le 6 ]; do if [ $((i % 2)) -eq 0 ]; then w=here; else w=sexton; fi; echo "$k$i ${w}"; i=$((i + 1)); done > keys/$k.txt
done
printf 'tower3 verger\ncrypt2 mason\norgan6 organist\norgan1 here\n' > today.txt
