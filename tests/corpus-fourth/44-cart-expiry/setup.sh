mkdir carts
i=0; while [ $i -lt 70 ]; do [ $((i % 4)) -eq 2 ] || echo "a:1:{i:0;i:$i;}" > carts/c$i.ser; i=$((i+1)); done
