#!/usr/bin/perl
# Prints the tide bulletin of a harbour, one file for each week; springs stand out.
use strict;
use warnings;

sub mark {
    my ($fh, $text) = @_;
    return -t $fh ? "\e[7m$text\e[0m" : "*$text*";
}

sub line {
    my ($fh, $tide) = @_;
    my ($day, $time, $kind, $cm) = @$tide;
    my $text = sprintf '%s  %s  %-4s %3d cm', $day, $time, $kind, $cm;
    $text = mark($fh, $text) if $kind eq 'high' && $cm > 420;
    my $rule = -t $fh ? "\n" : "\n\n";
    print {$fh} $text, ($kind eq 'low' ? $rule : "\n");
}

my %week;
open(my $in, '<', 'tides.txt') or die "tides.txt: $!\n";
while (<$in>) {
    my @tide = split;
    push @{ $week{ int(($tide[0] - 1) / 7) + 1 } }, \@tide;
}
close $in;

my ($tides, $springs) = (0, 0);
for my $n (sort keys %week) {
    my $file = "out/week$n.txt";
    open(my $fh, '>', $file) or die "$file: $!\n";
    print {$fh} "Tides of week $n\n\n";
    for my $tide (@{ $week{$n} }) {
        line($fh, $tide);
        $tides++;
        $springs++ if $tide->[3] > 420;
    }
    close $fh or die "$file: $!\n";
    printf "%s: %d bytes\n", $file, -s $file;
}
print "$tides tides, $springs springs\n";
