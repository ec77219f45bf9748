i=0; while [ $i -lt 200 ]; do echo "2024-07-0$((i % 3 + 1))T$((i % 4 + 10)):$((i % 60)) event $i"; i=$((i+1)); done > stream.txt
