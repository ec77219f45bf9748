i=1
while [ $i -le 84 ]; do
  case $((i % 7)) in 0) e=cambrian;; 1) e=silurian;; 2) e=devonian;; 3) e=permian;; 4) e=triassic;; 5) e=jurassic;; 6) e=cretaceous;; esac
  echo "$e,F$((200 + i)),$((i * 17 % 300 + 5)),shale bed $((i % 4))"
  i=$((i + 1))
done > finds.csv
