#!/usr/bin/perl
# Prints the catalogue of a stamp collection with the scans that belong to each stamp.
use strict;
use warnings;

sub scans_of {
    my ($number) = @_;
    my @found = glob "scans/$number-*.tif";
    return map { m{-(\d+)\.tif$} ? $1 : () } @found;
}

sub entry {
    my ($number, $title, $year) = @_;
    my @scans = sort { $a <=> $b } scans_of($number);
    my $list  = @scans ? join(' ', @scans) : 'none';
    return sprintf "%3d  %-22s %d  scans: %s\n", $number, $title, $year, $list;
}

open my $in, '<', 'stamps.txt' or die "stamps.txt: $!";
my ($entries, $without) = (0, 0);
my @catalogue;
while (my $line = <$in>) {
    chomp $line;
    my $text = entry(split /\|/, $line);
    $without++ if $text =~ /none$/;
    push @catalogue, $text;
    $entries++;
}
close $in;

print @catalogue[ 0 .. 4 ];
print "entries: $entries, without a scan: $without\n";
