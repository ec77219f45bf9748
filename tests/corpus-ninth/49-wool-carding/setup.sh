i=0
while [ $i -lt 50 ]; do echo "farm$((i % 8)) $((2 + i % 3))"; i=$((i + 1)); done > fleeces.txt
printf 'Thwaite 80\nAckroyd 95\nSaltaire 70\n' > buyers.txt
