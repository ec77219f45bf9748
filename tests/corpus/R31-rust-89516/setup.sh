for n in 1 2 3 4 5 6; do
    printf '%0900d' $n > "part-$n"
done
