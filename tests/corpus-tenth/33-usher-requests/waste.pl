#!/usr/bin/perl
# Takes the seat requests that visitors drop at the usher's desk and gives seats.
use strict;
use warnings;

my $desk = '/tmp/tenth-usher';
my %free = map { $_ => 9 } 1 .. 8;
my ($given, $refused, $odd) = (0, 0, 0);
my @plan;

sub read_request {
    my ($path) = @_;
    my @st = lstat $path or return;
    return unless -f _;
    return if $st[4] != $< || $st[7] > 200;
    open(my $fh, '<', $path) or return;
    my $text = <$fh>;
    close $fh;
    return $text;
}

opendir(my $dh, $desk) or die "$desk: $!\n";
my @names = sort grep { /^req-\d+$/ } readdir $dh;
closedir $dh;

for my $name (@names) {
    my $text = read_request("$desk/$name");
    if (!defined $text || $text !~ /^row (\d+) seats (\d+)$/) {
        $odd++;
        next;
    }
    my ($row, $seats) = ($1, $2);
    if (($free{$row} // 0) >= $seats) {
        $free{$row} -= $seats;
        $given += $seats;
        push @plan, "$name row $row seats $seats\n";
    } else {
        $refused++;
    }
}

unlink map { "$desk/$_" } @names;
rmdir $desk;

open(my $out, '>', 'plan.txt') or die "plan.txt: $!\n";
print $out @plan;
close $out or die "plan.txt: $!\n";
print scalar(@names), " requests: $given seats given, $refused refused, $odd not readable\n";
