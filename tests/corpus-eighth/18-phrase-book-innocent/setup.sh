rm -f book.txt
i=1
while [ $i -le 4 ]; do printf 'The colour of harbour %d\nA grey theatre number %d\nThe centre of town %d\n' $i $i $i; i=$((i + 1)); done > phrases.txt
