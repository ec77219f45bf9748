mkdir -p takes
perl -e 'for my $i (0 .. 29) {
  my $n = sprintf "take%02d.celo", $i; print "$n\n";
  open my $f, ">", "takes/$n" or die;
  print $f pack("a4vvV", "CELO", 1 + $i % 2, 16, 8000), pack("l<*", map { $_ * 77 } 0 .. 200 + $i * 13), pack("l<", $i % 9 ? $i : 0x7FFFFFFF);
  close $f; utime 1.7e9, 1.7e9 + ($i % 4) * 86400, "takes/$n" }' > session.txt
