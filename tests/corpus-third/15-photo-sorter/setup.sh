for i in $(seq 1 150); do echo "IMG_$i.jpg 2024-03-0$((i%6+1))"; done > card.lst
