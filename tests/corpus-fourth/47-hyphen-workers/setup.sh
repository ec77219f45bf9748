perl -e 'for (0 .. 299) { my $s = join "", map { chr(97 + ($_ * 7 + $_[0]++ ) % 26) } 1 .. 3; printf "%s%d%s\n", $s, $_ % 5, chr(97 + $_ % 26) }' > patterns.txt
perl -ne 'chomp; ($k = $_) =~ s/\d//; $t{$k} = $_; END { print "$_\t$t{$_}\n" for sort keys %t }' patterns.txt > hyphen.cache
touch -d '2026-01-05 10:00' patterns.txt; touch -d '2026-01-05 10:07' hyphen.cache
