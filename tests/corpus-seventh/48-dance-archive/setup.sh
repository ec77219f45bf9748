d=collection/folk/north/films/reels/1978
mkdir -p $d
i=1
while [ $i -le 40 ]; do
  echo "reel $i" > $d/REEL_$i.DAT
  i=$((i + 1))
done
