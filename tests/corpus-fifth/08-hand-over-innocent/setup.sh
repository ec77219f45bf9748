mkdir -p tapes
for i in 01 02 03 04 05 06 07 08 09 10 11 12; do echo "tape $i: $((1$i * 31)) blocks" > tapes/t$i; done
