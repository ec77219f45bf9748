#!/usr/bin/perl
# Which scores did the choir master edit last?  Newest first, with a weekly tally.
use strict;
use warnings;
use POSIX qw(strftime);

my $dir = 'scores';

sub scores {
    my ($d) = @_;
    opendir(my $dh, $d) or die "$d: $!\n";
    my @files = map { "$d/$_" } grep { /\.ly$/ } readdir $dh;
    closedir $dh;
    return @files;
}

sub newest_first {
    my @files = @_;
    return sort { (stat $b)[9] <=> (stat $a)[9] or $a cmp $b } @files;
}

my @sorted = newest_first(scores($dir));

my %week;
for my $f (@sorted) {
    my $w = strftime('%V', gmtime((stat $f)[9]));
    $week{$w}++;
}

print "newest scores:\n";
for my $f (@sorted[0 .. 9]) {
    (my $name = $f) =~ s{.*/}{};
    printf "  %-14s %s\n", $name, strftime('%Y-%m-%d', gmtime((stat $f)[9]));
}
print "week $_: $week{$_}\n" for sort keys %week;
printf "%d scores\n", scalar @sorted;
