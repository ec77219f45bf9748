perl -e 'for my $i (0 .. 249) { print pack("N N n n a500", 49000000 + $i % 12, $i * 17 % 900, $i % 5, 0, "cell $i") }' > calls.cdr
