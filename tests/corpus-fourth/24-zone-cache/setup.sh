mkdir zones
i=0; while [ $i -lt 90 ]; do printf 'TZ%02d\noffset=%d\ndst=%d\nname=Zone number %d\n' $i $((i * 15 - 720)) $((i % 2)) $i > zones/z$i; i=$((i+1)); done
