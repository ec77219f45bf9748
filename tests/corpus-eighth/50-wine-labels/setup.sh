rm -rf labels; mkdir labels
i=1
while [ $i -le 34 ]; do
  printf 'chateau%d\n%d\n' $((i % 7)) $((1980 + i % 20)) > labels/l$i.txt
  n=0; while [ $n -lt $((i % 5)) ]; do echo "a note of plums and leather"; n=$((n + 1)); done >> labels/l$i.txt
  i=$((i + 1))
done
