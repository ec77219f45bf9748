#!/usr/bin/perl
# Splits records into shards by key.
use strict;
use warnings;

my %pool;

sub shard {
    my ($number) = @_;
    return $pool{$number} //= do {
        open(my $fh, '>', "shards/$number") or die "shards/$number: $!";
        $fh;
    };
}

open(my $in, '<', 'records.txt') or die "records.txt: $!";
my $records = 0;
while (my $line = <$in>) {
    my ($key) = split ' ', $line;
    print { shard($key % 16) } $line or die "write: $!";
    $records++;
}
close($in);
for my $number (sort keys %pool) {
    close($pool{$number}) or die "shards/$number: $!";
}
print "records $records, shards ", scalar(keys %pool), "\n";
