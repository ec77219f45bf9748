for name in one two; do head -c 600000 /dev/zero > "$name"; done
