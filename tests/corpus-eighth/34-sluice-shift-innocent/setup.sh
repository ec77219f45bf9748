rm -f /tmp/sluice-shift.lock
i=1
while [ $i -le 30 ]; do if [ $((i % 2)) -eq 0 ]; then w=up; else w=down; fi; echo "gate$((i % 5)) $((i * 13 % 50)) ${w}"; i=$((i + 1)); done > moves.txt
