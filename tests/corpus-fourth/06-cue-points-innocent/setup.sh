seq 1 400000 | head -c 2400000 > session.pcm
i=0; while [ $i -lt 30 ]; do echo $((i * 79001)); i=$((i+1)); done > cues.txt
