mkdir -p current
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do v=$((1$i % 3 + 1)); for k in 1 2 3; do mkdir -p parts/part$i/v$k; echo "part $i version $k" > parts/part$i/v$k/drawing.txt; done; ln -s v$v parts/part$i/latest; ln -s ../parts/part$i/latest/drawing.txt current/part$i.txt; done
