mkdir -p units reports
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do { echo "unit $i"; case $i in *7|*4) echo "goto $i";; esac; echo "end"; } > units/u$i.txt; done
