rm -rf boards; mkdir boards
for b in market harbour school park mill tower; do
  i=1; while [ $i -le 5 ]; do echo "$b verse $i"; i=$((i + 1)); done > boards/$b.txt
done
printf 'market\tthe cabbages bow\nschool\tchalk dust in the sun\nmill\tround goes the stone\n' > today.tsv
