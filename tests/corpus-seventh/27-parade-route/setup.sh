awk 'BEGIN { for (i = 0; i < 30; i++) print "street" i, 100 + i * 37 % 400 }' > route.txt
printf 'street3 closed\nstreet11 closed\nstreet12 wider\nstreet29 closed\n' > works.txt
