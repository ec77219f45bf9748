mkdir -p casks
i=1
while [ $i -le 44 ]; do
  printf 'oak %s\nlitres %d\nstaves %d\n' "$( [ $((i % 3)) = 0 ] && echo limousin || echo slavonian )" $((i % 5 * 50 + 100)) $((i % 7 + 24)) > casks/cask$i.card
  touch -d "2023-0$((i % 9 + 1))-11 08:00:00Z" casks/cask$i.card
  i=$((i + 1))
done
touch -d "2021-04-01 08:00:00Z" casks/cask9.card
