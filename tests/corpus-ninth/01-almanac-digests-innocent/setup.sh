mkdir -p pages
perl -MDigest::MD5=md5_hex -e '
open my $l, ">", "digests.tsv";
for my $i (1..48) {
  my $t = "sun rises " . (6 + $i % 3) . "\nmoon day $i\n" . "tide " . ($i * 13 % 60) . "\n";
  open my $f, ">", "pages/day$i.txt"; print $f $t; close $f;
  utime 1700000000 + $i, 1700000000 + $i, "pages/day$i.txt";
  my $size = length $t; $size += 3 if $i % 8 == 0;
  print $l join("\t", "pages/day$i.txt", $size, 1700000000 + $i, md5_hex($t)), "\n";
}'
