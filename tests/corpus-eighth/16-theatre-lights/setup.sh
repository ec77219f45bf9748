rm -rf shows show; mkdir -p shows/winter/act2/cues
i=1
while [ $i -le 32 ]; do p=$i; [ $i -gt 9 ] || p=0$i; echo "$((i * 3)) $((i * 37 % 101)) $((i % 6))" > shows/winter/act2/cues/q$p.cue; i=$((i + 1)); done
ln -s shows/winter show
