mkdir -p beds
i=0
while [ $i -lt 36 ]; do
  case $((i % 6)) in 0) e=plan ;; 1) e=sketch ;; 2) e=csv ;; *) e=txt ;; esac
  echo "rows $((2 + i % 5)) seed $((i * 17 % 90))" > beds/bed$i.$e
  i=$((i + 1))
done
