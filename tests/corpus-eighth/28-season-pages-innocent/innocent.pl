#!/usr/bin/perl
# Generates the result pages of a handball season from results.csv.
use strict;
use warnings;

my %week;
my %points;

open my $in, '<', 'results.csv' or die "results.csv: $!";
while (my $line = <$in>) {
    chomp $line;
    my ($n, $home, $guest, $hg, $gg) = split /;/, $line;
    push @{ $week{$n} }, [$home, $guest, $hg, $gg];
    $points{$_} //= 0 for $home, $guest;
    if    ($hg > $gg) { $points{$home}  += 2 }
    elsif ($hg < $gg) { $points{$guest} += 2 }
    else              { $points{$_}++ for $home, $guest }
}
close $in;

sub page {
    my ($n, @games) = @_;
    my $rows = join '', map {
        "<tr><td>$_->[0]</td><td>$_->[1]</td><td>$_->[2]:$_->[3]</td></tr>\n"
    } @games;
    return "<html><title>Week $n</title>\n<table>\n$rows</table>\n</html>\n";
}

my $games = 0;
for my $n (sort { $a <=> $b } keys %week) {
    my $path = "pages/week$n.html";
    open my $out, '>', $path or die "$path: $!";
    print {$out} page($n, @{ $week{$n} });
    close $out or die "$path: $!";
    $games += @{ $week{$n} };
}

my @order = sort { $points{$b} <=> $points{$a} || $a cmp $b } keys %points;
print "$_: $points{$_} points\n" for @order[0 .. 2];
printf "%d pages, %d games\n", scalar keys %week, $games;
