#!/usr/bin/perl
# Laboratory journal: all weighings in grams.
use strict;
use warnings;

sub units {
    open(my $fh, '<', 'share/units.tab') or die "units: $!";
    my %factor = map { chomp; split /\t/ } <$fh>;
    return \%factor;
}

my $units = units();

sub in_grams {
    my ($value, $unit) = @_;
    my $factor = $units->{$unit} // die "unknown unit $unit\n";
    return $value * $factor;
}

my @unit = qw(mg g kg lb oz g);
my $sum = 0;
my $heaviest = 0;
for my $n (1 .. 90) {
    my $g = in_grams($n / 8, $unit[$n % @unit]);
    $sum += $g;
    $heaviest = $g if $g > $heaviest;
}
printf "sum %.3f g, heaviest %.3f g\n", $sum, $heaviest;
