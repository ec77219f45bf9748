#!/usr/bin/perl
# Inventory of climbing ropes: which box holds how many metres; the paths are kept absolute
# in the inventory that other programs take over.
use strict;
use warnings;
use File::Spec;
use File::Basename qw(basename dirname);

sub absolute {
    my ($path) = @_;
    return File::Spec->rel2abs($path);
}

open my $in, '<', 'inventory.txt' or die "inventory.txt: $!";
my (%metres, %count, @lines);
while (<$in>) {
    my ($path, $length) = split;
    my $full = absolute($path);
    my $box  = basename(dirname($full));
    $metres{$box} += $length;
    $count{$box}++;
    push @lines, "$full\t$length\n";
}
close $in;

open my $out, '>', 'inventory.abs' or die "inventory.abs: $!";
print {$out} @lines or die "inventory.abs: $!";
close $out or die "inventory.abs: $!";

for my $box (sort keys %metres) {
    printf "%s: %d ropes, %d m\n", $box, $count{$box}, $metres{$box};
}
my $absolute = grep { m{^/} } @lines;
print "absolute paths: $absolute\n";
