mkdir seg
for i in 0 1 2 3 4 5; do printf '%0100d' $((i*i)) > seg/$i; done
