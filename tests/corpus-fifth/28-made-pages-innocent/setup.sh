mkdir -p site
for i in 1 2 3 4 5 6; do printf 'Boat %d\nlength %d m\nbuilt 19%d0\n' $i $((5+i)) $i > boat$i.txt; echo "<p>made yesterday</p>" > site/boat$i.html; done
echo "<p>old index</p>" > site/index.html
