rm -rf pumps; mkdir pumps
for p in 1 2 3 4 5; do printf 'basal %d\nratio %d\nlimit %d\npatient room%d\n' $((p * 3 + 10)) $((p + 8)) $((p * 4 + 20)) $p > pumps/p$p.conf; done
printf '1 basal 15\n2 ratio 12\n3 limit 30\n4 basal 20\n5 ratio 11\n' > orders.txt
