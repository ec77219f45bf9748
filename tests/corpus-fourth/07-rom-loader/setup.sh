mkdir roms
for i in $(seq 1 20); do seq 1 9999 | head -c $((16384 + (i % 3) * 8192)) > roms/game$i.gb; done
