i=1
for d in own bench guild lent attic; do mkdir -p shelf/$d; done
while [ $i -le 60 ]; do
  case $((i % 5)) in 0) d=own;; 1) d=bench;; 2) d=guild;; 3) d=lent;; 4) d=attic;; esac
  printf 'height %d\nturns %d\n' $((i * 3 + 20)) $((i % 5 + 1)) > shelf/$d/finial$i.pat
  echo finial$i
  i=$((i + 1))
done > wanted.txt
echo finial99 >> wanted.txt
