mkdir -p posters cache
perl -e '
for my $i (1..36) {
  open my $f, ">", "posters/p$i.txt"; print $f join("\n", map { substr("ROUNDABOUT CIRCUS FAIR PLAY " x 3, ($_ * $i) % 20, 40) } 1..20), "\n";
}
use Digest::MD5 qw(md5_hex);
for my $i (1..12) {
  my $t = join "", map { substr(substr("ROUNDABOUT CIRCUS FAIR PLAY " x 3, ($_ * 4 * $i) % 20, 40), 0, 8) . "\n" } 1..5;
  $t = substr $t, 0, 9 if $i % 4 == 0;
  my $sum = md5_hex(join "", map { substr(substr("ROUNDABOUT CIRCUS FAIR PLAY " x 3, ($_ * 4 * $i) % 20, 40), 0, 8) . "\n" } 1..5);
  open my $f, ">", "cache/p$i.thumb"; print $f "$sum\n$t";
}'
