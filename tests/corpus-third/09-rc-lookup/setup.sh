mkdir conf
for i in $(seq 1 60); do echo "msg$i"; done > messages.txt
