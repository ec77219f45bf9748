perl -e 'my $x = 11; for (1 .. 200000) { $x = ($x * 1103515245 + 12345) % 2147483648; print substr("ACGT", $x >> 16 & 3, 1) }' > chr7.raw
perl -e 'for my $i (1 .. 160) { print $i * 77773 % 199900, "\n" }' > variants.txt
