mkdir -p covers
i=1
while [ $i -le 50 ]; do
  echo "song$i|Lullaby no. $i|$((i % 5 + 1))"
  case $((i % 5)) in 0) e=png;; 1) e=jpg;; 2) e=gif;; 3) e=jpeg;; 4) e=;; esac
  [ -z "$e" ] || echo "picture $i" > covers/song$i.$e
  i=$((i + 1))
done > songs.txt
