#!/usr/bin/perl
# Plays a day of the smelter and notes whether a phase makes the program grow.
use strict;
use warnings;

sub resident {
    open(my $fh, '<', '/proc/self/statm') or die "statm: $!\n";
    my (undef, $pages) = split / /, scalar <$fh>;
    close($fh);
    return $pages;
}

sub melt {
    my ($charge, $hours) = @_;
    my @slag;
    for my $hour (1 .. $hours * 400) {
        push @slag, $hour * $charge % 8191;
    }
    return \@slag;
}

open(my $in, '<', 'phases.txt') or die "phases.txt: $!\n";
my @phases = map { chomp; [split / /] } <$in>;
close($in);

my %kept;
my ($grew, $metal) = (0, 0);
my $before = resident();
for my $phase (@phases) {
    my ($name, $hours) = @$phase;
    my $slag = melt(length($name) * 7, $hours);
    $metal += $_ for @$slag;
    $kept{$name} = $slag;
    my $now = resident();
    $grew++ if $now > $before;
    $before = $now;
}

print scalar(@phases), " phases, metal $metal\n";
print "the program grew: ", $grew > 0 ? "yes" : "no", "\n";
print "kept: ", scalar(keys %kept), "\n";
