mkdir -p register/county/north/deeds register/county/north/old
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do echo "deed $i" > register/county/north/deeds/deed-$i.txt; done
echo "deed 90" > register/county/north/old/deed-90.txt
ln -s ../old/deed-90.txt register/county/north/deeds/deed-41.txt
ln -s county/north register/current
