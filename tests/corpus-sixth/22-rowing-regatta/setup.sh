mkdir -p heats
perl -e 'for my $h (1..24) { open my $f, ">", "heats/h$h.csv"; print $f "boat$_;crew of club number " . ($_ * $h % 57) . ";" . (380000 + ($_ * 7919 * $h) % 60000) . "\n" for 1..420 }'
