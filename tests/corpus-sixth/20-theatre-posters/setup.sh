mkdir -p posters
perl -e 'for my $i (1..24) { my ($w, $h) = (800, 700 + $i*37); open my $f, ">", "posters/p$i.pbm"; print $f "P4\n$w $h\n", chr($i * 9 % 256) x ($w / 8 * $h) }'
