i=0
while [ $i -lt 30 ]; do echo "$((i * 3 % 40)),$((i * 7 % 50)) $((i * 11 % 45)),$((i * 5 % 35)) $([ $((i % 4)) = 0 ] && echo red || echo blue)"; i=$((i + 1)); done > strokes.txt
