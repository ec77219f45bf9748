rm -rf archive; mkdir archive
for w in tula suksun moscow; do
  i=1; while [ $i -le 12 ]; do echo 'litres 3' > archive/$w-$(printf %03d $i).drw; i=$((i + 1)); done
done
awk 'BEGIN { split("tula suksun moscow", w, " "); for (i = 0; i < 42; i++) print w[i * i % 3 + 1], 2 + i % 5, 1 + i % 2 }' > incoming.txt
