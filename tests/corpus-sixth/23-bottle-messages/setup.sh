perl -e 'open my $f, ">", "bottles.msg"; for my $i (1..130) { my $n = 90 + $i * 17 % 500; print $f "bottle $i $n\n", chr(97 + $i % 26) x $n }'
