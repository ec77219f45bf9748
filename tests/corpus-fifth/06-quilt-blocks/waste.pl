#!/usr/bin/perl
# Adds up the stitches of all blocks of a quilt; the index tells where each block begins.
use strict;
use warnings;
use Fcntl qw(SEEK_SET);

my ($data, $index) = ('quilt.dat', 'quilt.idx');

sub read_index {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    my @blocks;
    while (<$in>) {
        my ($offset, $length, $name) = split;
        push @blocks, { offset => $offset, length => $length, name => $name };
    }
    close $in;
    return sort { $a->{offset} <=> $b->{offset} } @blocks;
}

sub read_block {
    my ($fh, $block) = @_;
    sysseek($fh, $block->{offset}, SEEK_SET) or die "$data: $!\n";
    my $got = sysread($fh, my $buf, $block->{length});
    die "$data: short block $block->{name}\n" if !defined $got || $got != $block->{length};
    return $buf;
}

my @blocks = read_index($index);
open(my $fh, '<:raw', $data) or die "$data: $!\n";
my ($stitches, $largest) = (0, undef);
for my $block (@blocks) {
    my $buf = read_block($fh, $block);
    $block->{stitches} = ($buf =~ tr/a-m//);
    $stitches += $block->{stitches};
    $largest = $block if !$largest || $block->{stitches} > $largest->{stitches};
}
close $fh;

printf "%d blocks, %d stitches\n", scalar @blocks, $stitches;
printf "largest: %s with %d\n", $largest->{name}, $largest->{stitches};
