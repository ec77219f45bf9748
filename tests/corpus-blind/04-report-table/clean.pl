#!/usr/bin/perl
# Writes a usage report, with bars drawn wider on a terminal.
use strict;
use warnings;

open(my $out, '>', 'report.txt') or die "report.txt: $!";
my $width = -t $out ? 72 : 40;

sub bar {
    my ($share) = @_;
    return '#' x int($width * $share);
}

my ($rows, $used) = (0, 0);
for my $user (1 .. 250) {
    my $mb = ($user * 7919) % 1000;
    printf $out "%-10s %5d %s\n", "user$user", $mb, bar($mb / 1000);
    $rows++;
    $used += $mb;
}
close($out) or die "report.txt: $!";
print "rows $rows, used $used MB, size ", -s 'report.txt', "\n";
