perl -e 'open my $f, ">", "journal.bin"; print $f pack("V V", $_ * 3 % 40, 180 + $_ % 70) for 1..32000'
