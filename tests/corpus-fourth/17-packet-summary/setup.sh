perl -e 'for my $i (1 .. 400) { my $n = 40 + $i * 7 % 90; print pack("N n C C", 1700000000 + $i, $n, $i % 3 ? 6 : 17, 64), chr($i % 256) x $n }' > lan.cap
