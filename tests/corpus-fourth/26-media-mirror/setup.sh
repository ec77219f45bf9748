mkdir clips mirror
i=0; while [ $i -lt 20 ]; do seq $i 15000 > clips/clip$i.bin; i=$((i+1)); done
