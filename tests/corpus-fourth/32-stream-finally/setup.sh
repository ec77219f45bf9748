mkdir orders
i=0; while [ $i -lt 22 ]; do printf 'id=%d\ntotal=%d\n' $i $((i * 25)) > orders/o$i; i=$((i+1)); done
