rm -rf licences; mkdir licences
i=0
while [ $i -lt 20 ]; do echo "keeper$i $((i * 5 % 17 + 1))"; i=$((i + 1)); done > applications.txt
