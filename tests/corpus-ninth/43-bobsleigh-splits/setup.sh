mkdir -p runs
perl -e 'for my $s (1 .. 12) { for my $r (1 .. 3) {
  open my $f, ">", sprintf("runs/run-%d-%d.spl", $s, $r) or die;
  print $f pack("V3", $_, $_ * 11000 + $s * 37 + $r * 11, 700 + $_ * 90 + ($s * $r) % 17) for 1 .. 5;
} }'
