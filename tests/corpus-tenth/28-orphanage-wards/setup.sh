mkdir -p wards
rm -f wards/*
for w in 1 2 3 4 5; do
  i=1
  while [ $i -le 30 ]; do echo "child$((w * 100 + i));$((i % 12 + 2));bed$i"; i=$((i + 1)); done > wards/w$w.reg
done
printf 'w1 child107 gone\nw2 child203 bed31\nw3 child330 gone\nw4 child411 bed40\nw5 child501 gone\n' > changes.txt
