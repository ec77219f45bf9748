for i in $(seq 1 200); do echo "user$i $((i*37)) $((i*11%90))"; done > usage.txt
