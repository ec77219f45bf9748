mkdir -p hymns
i=1
while [ $i -le 50 ]; do printf 'HYMN%03d verses %d\nText of hymn %d\n' $i $((i % 6 + 2)) $i > hymns/$i.txt; i=$((i + 1)); done
