mkdir -p spindles
i=0
while [ $i -lt 36 ]; do printf 'rpm=%d\nwobble=%d\n' $((i * 131 % 900 + 600)) $((i * 17 % 29)) > spindles/$i.g; i=$((i + 1)); done
