mkdir -p berths
i=1; while [ $i -le 48 ]; do echo "berth $i length $((i * 3 % 20 + 6))" > berths/b$i.lock; i=$((i + 1)); done
i=0; while [ $i -lt 60 ]; do echo "boat$i $((i * 7 % 24 + 3))"; i=$((i + 1)); done > boats.txt
