rm -rf crates; mkdir crates
perl -MCompress::Zlib -e 'for my $i (0 .. 29) {
  my $body = sprintf "crate %d, %d kg", $i, 40 + $i * 17 % 71;
  open my $f, ">", sprintf("crates/tag%02d", $i) or die;
  printf $f "%s, sum %08x\n", $body, crc32($body) ^ ($i == 13);
}'
