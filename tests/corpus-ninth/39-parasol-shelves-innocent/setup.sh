rm -rf shop
awk 'BEGIN { split("red blue green", c, " "); for (i = 0; i < 72; i++) print "shelf" i % 20, "p" i, c[i % 3 + 1], 300 + i * 7 }' > stock.txt
i=0
while [ $i -lt 20 ]; do
  mkdir -p shop/shelf$i
  echo 'old parasol' > shop/shelf$i/old1.txt; echo 'old parasol' > shop/shelf$i/old2.txt
  i=$((i + 1))
done
