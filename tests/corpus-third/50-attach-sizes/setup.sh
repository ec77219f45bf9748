mkdir mail
i=1; while [ $i -le 40 ]; do printf "Subject: m$i\nX-Size: $((i*3))\n\n%0$((i*5))d\n" 0 > mail/$i.eml; i=$((i+1)); done
touch -d '2024-02-03 UTC' mail/*.eml
