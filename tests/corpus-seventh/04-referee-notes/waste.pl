#!/usr/bin/perl
use strict;
use warnings;

my %colour = (booking => 33, foul => 31, offside => 36);
my %count;

sub painted {
    my ($out, $kind) = @_;
    return $kind unless -t $out && $colour{$kind};
    return "\e[$colour{$kind}m$kind\e[0m";
}

sub note {
    my ($out, $minute, $kind, $team) = @_;
    printf {$out} "%3d' %-5s %s\n", $minute, $team, painted($out, $kind);
    $count{$team}{$kind}++;
}

open my $in, '<', 'whistle.txt' or die "whistle.txt: $!";
open my $out, '>', 'report.txt' or die "report.txt: $!";
my $lines = 0;
while (my $line = <$in>) {
    my ($minute, $kind, $team) = split ' ', $line;
    next unless defined $team;
    note($out, $minute, $kind, $team);
    $lines++;
}
close $in;
close $out or die "report.txt: $!";

for my $team (sort keys %count) {
    my @kinds = map { "$_ $count{$team}{$_}" } sort keys %{ $count{$team} };
    print "$team: @kinds\n";
}
print "$lines notes\n";
