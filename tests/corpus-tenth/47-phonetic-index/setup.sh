rm -rf words; mkdir words
i=10
while [ $i -lt 30 ]; do
  printf 'robert%d\nrupert%d\nashcraft%d\ntymczak%d\npfister%d\n' $i $i $i $i $i | tr '0-9' 'a-j' > words/list-$i.txt
  i=$((i+1))
done
