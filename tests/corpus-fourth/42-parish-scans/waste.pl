#!/usr/bin/perl
# Counts the entries of the registers of all parishes.
use strict;
use warnings;

my ($entries, $largest, $most) = (0, '', 0);
for my $parish (map { "p$_" } 0 .. 49) {
    chdir "parish/$parish" or die "$parish: $!";
    open(my $register, '<', 'register.txt') or die "$parish: $!";
    my $n = 0;
    $n++ while <$register>;
    close $register;
    chdir '../..' or die $!;
    $entries += $n;
    ($largest, $most) = ($parish, $n) if $n > $most;
}
print "$entries entries, most in $largest\n";
