#!/usr/bin/perl
# Reads the invoices that suppliers have left in incoming/ and adds them up per supplier.
use strict;
use warnings;

my $too_big = 64 * 1024;
my %owed;
my $skipped = 0;

opendir(my $dh, 'incoming') or die "incoming: $!";
my @names = sort grep { /\.inv$/ } readdir $dh;
closedir $dh;

for my $name (@names) {
    my $path = "incoming/$name";
    my @st = stat($path) or next;
    # an upload that is still going on is left for the next run
    if ($st[7] > $too_big || time - $st[9] < 60) { $skipped++; next }
    open(my $fh, '<', $path) or die "$path: $!";
    my ($supplier, $sum) = ('', 0);
    while (my $line = <$fh>) {
        chomp $line;
        if ($line =~ /^supplier=(.*)/) { $supplier = $1 }
        elsif ($line =~ /^item=([^;]*);(\d+);(\d+)/) { $sum += $2 * $3 }
    }
    close $fh;
    $owed{$supplier} += $sum;
}
printf "supplier %s: %d EUR\n", $_, $owed{$_} for sort keys %owed;
print "skipped $skipped\n";
