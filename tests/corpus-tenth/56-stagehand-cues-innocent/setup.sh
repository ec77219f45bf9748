mkdir -p cues
i=0
while [ $i -lt 63 ]; do
  echo "cue $i: $(case $((i % 3)) in 0) echo light;; 1) echo curtain;; 2) echo thunder;; esac) $((i * 7 % 30))" > cues/c$i
  i=$((i+1))
done
