mkdir coupons
i=0; while [ $i -lt 25 ]; do j=0; while [ $j -lt 30 ]; do echo "$i-$j $(( (i * 30 + j) % 11 ))"; j=$((j+1)); done > coupons/book$i; i=$((i+1)); done
