perl -e 'open my $f, ">", "tape.dat"; for my $i (0..47) { print $f pack("nnNNN", $i % 5, $i * 3 % 100, 86400 + $i * 61, ($i * 7919) % 360000, ($i * 104729) % 180000) }'
