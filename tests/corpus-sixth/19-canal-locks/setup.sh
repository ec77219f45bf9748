mkdir -p locks
perl -e 'for my $i (1..68) { open my $f, ">", "locks/$i.rec"; print $f pack("v", $i), map { pack("v v", $_ * $i % 1440, $_ % 9) } 1..(20 + $i) }'
