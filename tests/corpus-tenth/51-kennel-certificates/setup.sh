rm -rf certificates
i=10
while [ $i -lt 46 ]; do
  case $((i % 3)) in 0) b=setter;; 1) b=beagle;; 2) b=corgi;; esac
  echo "dog$i,$b,$((i * 11 % 50)),owner$((i % 7))"
  i=$((i+1))
done > litter.csv
