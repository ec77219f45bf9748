perl -e 'for my $i (0 .. 599) { print pack("v C C C", $i * 5 % 480, $i % 2 ? 0x80 : 0x90, 40 + $i % 37, 64 + $i % 50) }' > song.evt
