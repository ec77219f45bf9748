for n in 1 2 3 4 5 6 7 8; do
    printf '%0500d' $n > "layer-$n"
done
