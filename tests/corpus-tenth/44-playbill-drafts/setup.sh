rm -rf drafts; mkdir -p drafts
i=10
while [ $i -lt 46 ]; do
  [ $((i % 6)) -ne 0 ] && echo "draft of play $i" > drafts/play-$i.txt
  echo "play-$i|$((i % 4 + 1))|$((18 + i % 3))"
  i=$((i+1))
done > season.txt
