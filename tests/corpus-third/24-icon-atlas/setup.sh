mkdir icons
for i in $(seq 1 80); do printf '16 16 %03d\n%0180d' $i $i > icons/$i.xpm; done
