rm -rf markers; mkdir markers; rm -f trails.txt
i=1
while [ $i -le 45 ]; do [ $((i % 4)) -eq 0 ] && v0=worn || v0=good; p=$i; [ $i -gt 9 ] || p=0$i; : > markers/trail$((i % 5))-km${p}-$v0.gpx; i=$((i + 1)); done
