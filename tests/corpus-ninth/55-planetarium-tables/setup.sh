perl -e 'open my $f, ">", "stars.bin" or die; print $f pack("a8NNx48", "STARS", 2000, 1950);
print $f pack("(f>)4", $_ * 7919 % 36000 / 100, $_ * 31 % 180 - 90, $_ * 17 % 100 / 10000, $_ % 60 / 10) for 1 .. 2000'
