#!/usr/bin/perl
# Puts the swimmers of each lane in order of their best times, after the last heat.
use strict;
use warnings;
use IO::Handle;

my $dir = 'lanes';

sub read_times {
    my ($path) = @_;
    my %time;
    open my $fh, '<', $path or die "$path: $!";
    while (my $line = <$fh>) {
        my ($who, $seconds) = split ' ', $line;
        $time{$who} = $seconds;
    }
    close $fh;
    return \%time;
}

sub replace {
    my ($path, @lines) = @_;
    my $new = "$path.new";
    open my $fh, '>', $new or die "$new: $!";
    print {$fh} map {"$_\n"} @lines or die "$new: $!";
    $fh->flush && $fh->sync or die "$new: $!";
    close $fh or die "$new: $!";
    unlink $path;
    rename $new, $path or die "$path: $!";
    return;
}

my $results = read_times('results.txt');
my $better = 0;
my @fastest;

for my $lane (1 .. 8) {
    my $path = "$dir/lane$lane.txt";
    my $time = read_times($path);
    for my $who (keys %$time) {
        my $new = $results->{$who} or next;
        if ($new < $time->{$who}) {
            $time->{$who} = $new;
            $better++;
        }
    }
    my @order = sort { $time->{$a} <=> $time->{$b} || $a cmp $b } keys %$time;
    replace($path, map {"$_ $time->{$_}"} @order);
    push @fastest, "$order[0] $time->{$order[0]}";
}

open my $d, '<', $dir or die "$dir: $!";
$d->sync or die "$dir: $!";
close $d;

print "lane ", $_ + 1, ": $fastest[$_]\n" for 0 .. $#fastest;
print "$better better times\n";
