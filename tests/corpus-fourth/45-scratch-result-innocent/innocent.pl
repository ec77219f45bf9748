#!/usr/bin/perl
# Fills the cache of rendered formulas; whatever is missing is rendered again.
use strict;
use warnings;

for my $n (1 .. 20) {
    my $svg = "<svg width='" . 10 * $n . "'/>\n";
    my $part = "cache/.f$n.$$";
    open(my $fh, '>', $part) or die "$part: $!";
    print $fh $svg;
    close $fh or die "$part: $!";
    rename $part, "cache/f$n.svg" or die "f$n: $!";
}
print scalar(my @all = glob 'cache/*.svg'), " formulas cached\n";
