perl -e 'open my $f, ">", "fresco.raw"; for my $i (0..95) { print $f pack("C", 40 + $i) x 8192, pack("C", 200 - $i) x 8192 }'
