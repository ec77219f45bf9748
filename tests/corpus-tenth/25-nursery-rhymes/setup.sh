mkdir -p rhymes
i=1
while [ $i -le 50 ]; do printf 'sheep %d in the meadow\ncow %d in the corn\nunder the haystack\nfast asleep verse %d\n' $i $((i * 3 % 40)) $((i % 7)) > rhymes/r$i.txt; i=$((i + 1)); done
