mkdir -p charts
perl -e 'for my $i (1..60) { open my $f, ">", "charts/$i.cht"; print $f join("\n", map { ($_ * $i % 90) . " " . ($_ * 7 % 40) } 1..(50 + $i*9)), "\n" }'
