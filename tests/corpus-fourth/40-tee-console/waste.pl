#!/usr/bin/perl
# Runs the steps of an installation, each with its output in a file of its own.
use strict;
use warnings;

my @console;
for my $step (1 .. 20) {
    open(my $saved, '>&', \*STDOUT) or die $!;
    push @console, $saved;
    open(STDOUT, '>', "steps/$step.out") or die $!;
    print "step $step does ", $step * $step, " things\n";
    close STDOUT;
    open(STDOUT, '>&', $console[-1]) or die $!;
}
my $bytes = 0;
$bytes += -s "steps/$_.out" for 1 .. 20;
print "20 steps, $bytes bytes of output\n";
