rm -rf clips; mkdir clips
i=1
while [ $i -le 36 ]; do
  p=$i; [ $i -gt 9 ] || p=0$i
  n=bird$p
  case $((i % 9)) in 0) e=flac ;; 1|2) e=ogg ;; 3|4) e=mp3 ;; *) e=wav ;; esac
  [ $i -eq 20 ] || echo "$e rate $((i % 3 * 11025 + 11025)) len $((i * 13 % 60 + 4))" > clips/$n.$e
  echo "$n"
  i=$((i + 1))
done > species.txt
