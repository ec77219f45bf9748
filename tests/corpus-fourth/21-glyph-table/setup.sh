perl -e 'for my $i (0 .. 127) { print pack("n a318", $i * 5 % 71 + 10, "outline $i") }' > serif.fnt
