#!/usr/bin/perl
# Takes the members' seed offers from the exchange folder (all may drop files there).
use strict;
use warnings;

my $dropbox = 'exchange';
my (%stock, @taken, $refused);
$refused = 0;

sub acceptable {
    my ($path) = @_;
    return 0 if -l $path;          # no links to other people's files
    return 0 unless -f $path;
    return 0 if -s _ > 4096;
    return 1;
}

sub take_offer {
    my ($path) = @_;
    open(my $in, '<', $path) or die "$path: $!\n";
    while (my $line = <$in>) {
        chomp $line;
        my ($member, $sort, $packets) = split ' ', $line;
        next unless defined $packets && $packets =~ /^\d+$/;
        $stock{$sort}{$member} += $packets;
    }
    close $in;
}

opendir(my $dh, $dropbox) or die "$dropbox: $!\n";
my @offers = sort grep { /\.offer$/ } readdir $dh;
closedir $dh;

for my $name (@offers) {
    my $path = "$dropbox/$name";
    unless (acceptable($path)) {
        $refused++;
        next;
    }
    take_offer($path);
    push @taken, $name;
}

printf "%d offers taken, %d refused\n", scalar @taken, $refused;
for my $sort (sort keys %stock) {
    my $sum = 0;
    $sum += $_ for values %{ $stock{$sort} };
    printf "%-6s %3d packets of %d members\n", $sort, $sum, scalar keys %{ $stock{$sort} };
}
