perl -e 'open my $f, ">", "cores.dat"; for my $i (1..240) { my $d = pack("f<*", map { -20 + ($i*$_ % 17)/4 } 1..(3 + $i % 5)); print $f pack("n n", $i, length $d), $d }'
