: > words.txt
for w in stone notes onset tones seton lemon melon early layer relay night thing; do
  echo $w >> words.txt
done
