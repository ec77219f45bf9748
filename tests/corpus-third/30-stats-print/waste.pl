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
    for my $s (sort keys %sum) {
        printf $out "sensor %s mean %.2f of %d\n", $s, $sum{$s} / $n{$s}, $n{$s};
    }
    close $out;
}

save('mnt/stats.out');
printf "%d sensors, %d samples\n", scalar keys %n, eval { my $t = 0; $t += $_ for values %n; $t };
