#!/usr/bin/perl
use strict;
use warnings;

# Plans the trays of the day: which oven takes which tray, and for how long.

my %minutes = (rye => 50, spelt => 42, oat => 38, milk => 25);
my @ovens = map { { number => $_, busy => 0, trays => 0 } } 1 .. 3;

my $festival = -e 'ovens/festival';

sub baking_time {
    my ($bread, $loaves) = @_;
    my $time = $minutes{$bread} // 40;
    $time += 4 if $loaves > 16;
    if ($festival) {
        $time += 6;    # the ovens share the fire with the square
    }
    return $time;
}

sub next_oven {
    my ($first) = sort { $a->{busy} <=> $b->{busy} || $a->{number} <=> $b->{number} } @ovens;
    return $first;
}

open my $in, '<', 'trays.txt' or die "trays.txt: $!";
my $loaves_all = 0;
while (my $line = <$in>) {
    my ($bread, $loaves) = split ' ', $line;
    my $oven = next_oven();
    $oven->{busy} += baking_time($bread, $loaves);
    $oven->{trays}++;
    $loaves_all += $loaves;
}
close $in;

for my $oven (@ovens) {
    printf "oven %d: %d trays, %d minutes\n", @{$oven}{qw(number trays busy)};
}
print "$loaves_all loaves\n";
