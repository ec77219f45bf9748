mkdir -p urn
i=1
while [ $i -le 20 ]; do echo "voter$i list$((i * 7 % 4))"; i=$((i + 1)); done > votes.txt
