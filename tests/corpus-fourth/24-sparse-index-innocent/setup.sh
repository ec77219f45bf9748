perl -e 'for my $i (0 .. 524287) { print pack("Q<Q<", $i * 3, $i * $i % 9973) }' > words.idx
