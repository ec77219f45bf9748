use strict;
use warnings;

my %sold;
my %best;
my $branches = 0;

sub add_sales {
    my ($branch, $file) = @_;
    open(my $in, '<', $file) or die "$branch: $!";
    while (my $line = <$in>) {
        my ($bread, $loaves) = split ' ', $line;
        $sold{$bread} += $loaves;
        if (!$best{$bread} || $loaves > $best{$bread}[1]) {
            $best{$bread} = [$branch, $loaves];
        }
    }
    close $in;
    return;
}

for my $number (1 .. 30) {
    my $branch = "b$number";
    add_sales($branch, "branches/$branch/sold");
    $branches++;
}

open(my $out, '>', 'totals.txt') or die "totals.txt: $!";
for my $bread (sort keys %sold) {
    print {$out} "$bread $sold{$bread}\n";
    printf "%s: %d loaves, most in %s\n", $bread, $sold{$bread}, $best{$bread}[0];
}
close $out or die "totals.txt: $!";
print "$branches branches\n";
