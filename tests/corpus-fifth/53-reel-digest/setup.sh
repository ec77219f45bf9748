mkdir -p reels
i=1
while [ $i -le 12 ]; do dd if=/dev/zero bs=4096 count=20 2>/dev/null | tr '\0' "\\$((140 + i % 8))" > reels/r$i.raw; i=$((i + 1)); done
