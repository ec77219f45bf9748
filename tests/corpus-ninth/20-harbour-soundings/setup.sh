perl -e 'mkdir "soundings"; for my $i (1..20) { open my $f, ">", "soundings/lane$i.txt"; for my $j (0..1199 + $i) { printf $f "%d %03d.%d\n", $j, 20 + ($j * $i) % 140, $j % 10 } }'
