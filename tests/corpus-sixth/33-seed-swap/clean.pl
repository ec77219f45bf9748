#!/usr/bin/perl
# Takes the members' seed offers from the exchange folder (all may drop files there).
use strict;
use warnings;
use Fcntl qw(O_RDONLY O_NOFOLLOW O_NONBLOCK);

my $dropbox = 'exchange';
my (%stock, @taken, $refused);
$refused = 0;

# The open file, or nothing: a link, a device or too large a file is refused.
sub open_offer {
    my ($path) = @_;
    sysopen(my $in, $path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) or return;
    return unless -f $in;
    return if -s _ > 4096;
    return $in;
}

sub take_offer {
    my ($in) = @_;
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
    my $in = open_offer($path);
    unless ($in) {
        $refused++;
        next;
    }
    take_offer($in);
    push @taken, $name;
}

printf "%d offers taken, %d refused\n", scalar @taken, $refused;
for my $sort (sort keys %stock) {
    my $sum = 0;
    $sum += $_ for values %{ $stock{$sort} };
    printf "%-6s %3d packets of %d members\n", $sort, $sum, scalar keys %{ $stock{$sort} };
}
