mkdir art
for i in $(seq 1 80); do if [ $((i%2)) = 0 ]; then printf 'PNG!%04d' $i; else printf 'GIF?%04d' $i; fi > art/$i.img; done
