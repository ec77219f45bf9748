rm -f bills.txt
printf '{"small": 14, "large": 22, "cat": 11, "weekend": 5}\n' > rates.json
i=1
while [ $i -le 48 ]; do
  case $((i % 3)) in 0) v0=small ;; 1) v0=large ;; *) v0=cat ;; esac
  echo "guest$((i % 9)) $v0 $((i % 6 + 1)) $((i % 2))"
  i=$((i + 1))
done > bookings.txt
