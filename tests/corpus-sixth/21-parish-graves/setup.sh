perl -e 'open my $f, ">", "graves.tbl"; print $f pack("N N A24", 1700 + $_ * 13 % 250, $_ * 7 % 90, "family" . ($_ % 311)) for 0..9999'
