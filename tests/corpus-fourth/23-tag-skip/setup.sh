mkdir tracks
perl -e 'for my $t (1 .. 50) { open my $f, ">", "tracks/t$t.tag"; for my $n (qw(TIT TPE TAL COM)) { my $v = "$n of track $t " x (3 + $t % 11); print $f pack("a3 x N xx", $n, length $v), $v } }'
