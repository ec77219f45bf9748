mkdir -p hives
for i in 1 2 3 4; do printf 'hive %d\nqueen 2021\nframes %d\nhoney %d\n' $i $((6+i)) $((i*3)) > hives/hive$i.txt; done
