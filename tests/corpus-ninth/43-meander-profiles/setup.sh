mkdir -p profiles
perl -e 'for my $i (0 .. 31) { open my $f, ">", sprintf("profiles/km%02d.riv", $i) or die; my $n = 12 + $i % 5;
  print $f pack("NN(f>)*", 0x52495631, $n, map { ($_ * 1.5, sin($_ * 0.25) * (2 + $i % 7)) } 0 .. $n - 1) }'
