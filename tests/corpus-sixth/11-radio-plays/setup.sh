mkdir -p tapes
i=1
while [ $i -le 70 ]; do
  case $((i % 5)) in 0) e=flac ;; 1) e=ogg ;; 2) e=m4a ;; *) e=mp3 ;; esac
  echo "play $i $e" > tapes/play$i.$e
  echo "play$i $((i * 3 % 55 + 20))"
  i=$((i + 1))
done > programme.txt
