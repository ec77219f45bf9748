mkdir -p museum/hall3/case7/drawer2
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32; do echo "mineral $i" > museum/hall3/case7/drawer2/m$i.txt; done
ln -s hall3/case7 museum/quartz
