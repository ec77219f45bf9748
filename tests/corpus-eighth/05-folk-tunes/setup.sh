i=1
while [ $i -le 30 ]; do
  [ $((i % 2)) -eq 0 ] && v0=G || v0=D
  printf 'X:%d\nT:Reel number %d\nK:%s\n|:G2AB c2BA:|\n|:d2ef g2fe:|\n' $i $i $v0
  i=$((i + 1))
done > tunes.abc
rm -f tunes.idx
