perl -e 'open my $f, ">", "song.rec"; for my $i (1..300) { my $n = 40 + $i*29 % 400; print $f pack("n n", 20 + $i*7 % 900, $n), chr(65 + $i % 26) x $n }'
