d=parish/archive/towers/north/2026/bells/links
mkdir -p $d parish/archive/casts
i=1
while [ $i -le 24 ]; do echo "cast $i" > parish/archive/casts/c$i; i=$((i + 1)); done
i=1
while [ $i -le 90 ]; do echo ../../../../../casts/c$((i * 7 % 30)); i=$((i + 1)); done > list
cd $d
n=1
while read -r t; do ln -s $t bell$n; n=$((n + 1)); done < ../../../../../../../list
