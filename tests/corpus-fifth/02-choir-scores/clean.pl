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
    my ($mtime) = @_;
    return sort { $mtime->{$b} <=> $mtime->{$a} or $a cmp $b } keys %$mtime;
}

my %mtime = map { $_ => (stat $_)[9] } scores($dir);
my @sorted = newest_first(\%mtime);

my %week;
for my $f (@sorted) {
    my $w = strftime('%V', gmtime($mtime{$f}));
    $week{$w}++;
}

print "newest scores:\n";
for my $f (@sorted[0 .. 9]) {
    (my $name = $f) =~ s{.*/}{};
    printf "  %-14s %s\n", $name, strftime('%Y-%m-%d', gmtime($mtime{$f}));
}
print "week $_: $week{$_}\n" for sort keys %week;
printf "%d scores\n", scalar @sorted;
