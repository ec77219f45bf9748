rm -rf pages; mkdir pages
i=1
while [ $i -le 20 ]; do echo "old page" > pages/week$i.html; i=$((i + 1)); done
awk 'BEGIN { for (w = 1; w <= 20; w++) for (k = 0; k < 4; k++) printf "%d;team%d;team%d;%d;%d\n", w, (w + k) % 8, (w * 3 + k + 1) % 8, (w * k) % 5, (w + k * 2) % 4 }' > results.csv
