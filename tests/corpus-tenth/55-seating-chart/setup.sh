awk 'BEGIN { for (i = 0; i < 512; i++) printf "row %02d seat %02d %-16s\n", int(i / 32), i % 32, (i % 5 == 0 ? "Mrs Nobody" : "free") }' > chart.dat
i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo "$((i * 11 % 16)) $((i * 7 % 32)) guest$i"; done > bookings.txt
