rm -f grid.raw
perl -e 'open my $f, "+>", "grid.raw"; for my $i (0..23) { seek $f, $i * 262144, 0; print $f pack("n*", map { ($_ * ($i + 1) * 7) % 900 } 1..2048 * (1 + $i % 2)) } truncate $f, 24 * 262144'
