mkdir -p in out
i=1
while [ $i -le 20 ]; do printf "%060000d" $((i * 123456789)) > in/voice$i.pcm; i=$((i + 1)); done
