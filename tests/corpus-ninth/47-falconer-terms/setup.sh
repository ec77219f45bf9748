i=0
while [ $i -lt 60 ]; do echo "term$i: to bind the jess $i times over"; i=$((i + 1)); done > terms.txt
touch -d '2024-03-01 10:20:30.75 UTC' terms.txt
{ echo 'stamp 1709288430'
  awk -F': ' '{ n = gsub(/ /, " ", $2); print $1, length($2), n }' terms.txt | LC_ALL=C sort; } > terms.index
for t in term4 term17 jess term33 term58 term2 term40 term9 term21 hood term50 term7 ; do echo $t; done > asked.txt
