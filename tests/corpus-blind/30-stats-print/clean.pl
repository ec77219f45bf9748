#!/usr/bin/perl
# Writes daily statistics of a web site.
use strict;
use warnings;

my %visits;
for my $visit (1 .. 500) {
    $visits{"/page" . ($visit * 17 % 23)}++;
}

open(my $out, '>', 'stats/daily.txt') or die "stats/daily.txt: $!";
my $total = 0;
for my $page (sort keys %visits) {
    print $out "$page $visits{$page}\n";
    $total += $visits{$page};
}
close($out) or warn "stats/daily.txt is not complete: $!\n";
print "pages ", scalar(keys %visits), ", visits $total\n";
