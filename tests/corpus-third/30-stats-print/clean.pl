#!/usr/bin/perl
# Mean per sensor, written to the statistics volume.
use strict;
use warnings;

my (%sum, %n);
open my $in, '<', 'samples.txt' or die "samples.txt: $!";
while (<$in>) {
    my ($sensor, $value) = split;
    $sum{$sensor} += $value;
    $n{$sensor}++;
}
close $in;

sub save {
    my ($file) = @_;
    open my $out, '>', $file or die "$file: $!";
    my $ok = 1;
    for my $s (sort keys %sum) {
        $ok &&= printf $out "sensor %s mean %.2f of %d\n", $s, $sum{$s} / $n{$s}, $n{$s};
    }
    $ok = 0 unless close $out;
    warn "$file: $!\n" unless $ok;
    return $ok;
}

save('mnt/stats.out') or save('stats.spare') or die "no place for the statistics\n";
printf "%d sensors, %d samples\n", scalar keys %n, eval { my $t = 0; $t += $_ for values %n; $t };
