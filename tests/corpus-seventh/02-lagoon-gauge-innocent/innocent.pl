#!/usr/bin/perl
use strict;
use warnings;

# Lets the sensor of the lagoon measure and turns its file over when full.

my $limit = 200;
my $turn = 0;
my @history;

sub measure {
    my ($moment) = @_;
    system('/bin/sh', 'sensor.sh', $moment) == 0 or die "sensor: $?";
}

sub turn_over {
    my ($size) = @_;
    $turn++;
    rename 'gauge.txt', "gauge.$turn" or die "gauge.$turn: $!";
    push @history, $size;
}

for my $moment (0 .. 23) {
    measure($moment);
    my $size = -s 'gauge.txt';
    turn_over($size) if $size > $limit;
}

my $lines = 0;
my $highest = 0;
for my $name (map { "gauge.$_" } 1 .. $turn) {
    open my $in, '<', $name or die "$name: $!";
    while (my $line = <$in>) {
        $lines++;
        $highest = $1 if $line =~ /^level (\d+)/ && $1 > $highest;
    }
    close $in;
}
print "turned $turn times at @history bytes\n";
print "$lines measurements, highest $highest cm\n";
