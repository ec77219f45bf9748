mkdir -p sheets
perl -e 'for my $i (1..80) { open my $f, ">", "sheets/s$i.bin"; print $f pack("N", $i*31), chr($i % 251) x (200 + $i*37); }'
