mkdir -p blends
i=1
while [ $i -le 64 ]; do
  printf 'name: Blend %d\nassam: %d\nkeemun: %d\nrose: %d\nbrew: %d s at %d C\nnote: a tea for hour %d of the day\n' $i $((i * 7 % 60)) $((i * 11 % 40)) $((i % 5)) $((i * 13 % 120 + 90)) $((i % 4 * 5 + 80)) $((i % 24)) > blends/b$i.txt
  i=$((i + 1))
done
