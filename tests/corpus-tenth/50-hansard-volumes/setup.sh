mkdir -p volumes
i=10
while [ $i -lt 40 ]; do
  echo "MR SPEAKER order $i MR GREY $((i * 3)) hear hear MR BROWN $((i % 7)) divided" > volumes/v$i.txt
  touch -d "19$i-05-0$((i % 9 + 1)) 12:00:00" volumes/v$i.txt
  i=$((i+1))
done
