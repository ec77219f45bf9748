mkdir -p negatives
perl -e 'for my $i (1..22) { open my $f, ">", "negatives/n$i.tif"; print $f pack("a2 v V", "II", 42, 8), chr(30 + $i) x (60000 + $i * 3100) }'
