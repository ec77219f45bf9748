mkdir -p pantry/dry/flour pantry/dry/pulses pantry/cold pantry/jars/jam pantry/jars/pickles
i=1
while [ $i -le 60 ]; do
  case $((i % 6)) in 0) d=dry/flour;; 1) d=dry/pulses;; 2) d=cold;; 3) d=jars/jam;; 4) d=jars/pickles;; 5) d=jars;; esac
  : > pantry/$d/item$i-$((i % 7 + 1))
  i=$((i + 1))
done
