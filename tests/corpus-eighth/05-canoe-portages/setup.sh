rm -f portages.pack portages.toc
i=1
while [ $i -le 36 ]; do echo "portage-$i $((i * 97 % 800 + 100))"; i=$((i + 1)); done > route.txt
