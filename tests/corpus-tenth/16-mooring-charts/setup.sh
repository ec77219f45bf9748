mkdir -p data/coast/west/series2/harbours
[ -e atlas ] || ln -s data/coast/west atlas
i=1
while [ $i -le 40 ]; do printf 'chart %d\nbuoys %d\ndepth %d\n' $i $((i % 7)) $((i * 3 % 19 + 2)) > data/coast/west/series2/harbours/h$i.chart; i=$((i + 1)); done
