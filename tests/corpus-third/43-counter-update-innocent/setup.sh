mkdir seats
i=1; while [ $i -le 30 ]; do if [ $((i%4)) = 0 ]; then printf 'F%03d' $i; else printf 'T%03d' $i; fi > seats/r$i; i=$((i+1)); done
