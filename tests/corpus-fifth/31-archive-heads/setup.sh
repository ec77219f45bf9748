mkdir -p reels
i=1
while [ $i -le 80 ]; do printf 'REEL%04d%02d%60d' $i $((i % 30)) $i > reels/r$i.dat; i=$((i + 1)); done
