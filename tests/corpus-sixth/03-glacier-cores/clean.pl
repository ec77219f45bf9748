#!/usr/bin/perl
# Summary of the temperature samples in a drilled core file.
use strict;
use warnings;

my $file = 'cores.dat';
open my $fh, '<:raw', $file or die "$file: $!";
my $size = -s $fh;

my $pos = 0;
my ($samples, $sum, $coldest, $layers) = (0, 0, 0, 0);
my %by_count;

while ($pos + 4 <= $size) {
    read($fh, my $head, 4) == 4 or die "short header at $pos";
    my ($layer, $len) = unpack 'n n', $head;
    $pos += 4;
    read($fh, my $data, $len) == $len or die "layer $layer is cut off";
    $pos += $len;

    my @t = unpack 'f<*', $data;
    for my $t (@t) {
        $sum += $t;
        $coldest = $t if $t < $coldest;
    }
    $samples += @t;
    $by_count{scalar @t}++;
    $layers++;
}
close $fh;

printf "%d layers, %d samples\n", $layers, $samples;
printf "mean %.3f, coldest %.2f\n", $sum / $samples, $coldest;
printf "%d layers with %d samples\n", $by_count{$_}, $_ for sort keys %by_count;
