mkdir -p lamps
perl -e 'for my $i (0 .. 199) { open my $f, ">", sprintf("lamps/lamp%03d", $i) or die; printf $f "%7d\n", ($i * 37 + $_ * 11) % 15 for 0 .. 2 }'
