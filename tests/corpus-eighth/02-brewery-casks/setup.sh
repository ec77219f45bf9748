rm -f duty.txt
i=1
while [ $i -le 40 ]; do echo "cask$i $((i * 7 % 90 + 10)) $((i % 8 + 3))"; i=$((i + 1)); done > casks.txt
printf 'cask3\ncask14\ncask21\n' > strong.lst
