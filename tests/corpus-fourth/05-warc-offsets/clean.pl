#!/usr/bin/perl
# Makes the index of a crawl: URL, offset and length of each record. A record is a head of 32 bytes and a body.
use strict;
use warnings;
use Fcntl qw(SEEK_CUR);

open(my $in, '<:raw', 'crawl.warc') or die "crawl.warc: $!";
my (%index, $head, $body);
my $pos = 0;
while (1) {
    my $offset = $pos;
    my $n = sysread($in, $head, 32);
    die "crawl.warc: $!" unless defined $n;
    last if $n == 0;
    die "torn head at $offset\n" if $n != 32;
    my ($url, $length) = unpack 'A24 A8', $head;
    sysread($in, $body, $length) == $length or die "torn body at $offset\n";
    $pos += 32 + $length;
    $index{$url} = [$offset, $length];
}
close $in;

open(my $out, '>', 'crawl.idx') or die "crawl.idx: $!";
printf $out "%s %d %d\n", $_, @{ $index{$_} } for sort keys %index;
close $out or die "crawl.idx: $!";
printf "%d records, http://host/77 at %d\n", scalar keys %index, $index{'http://host/77'}[0];
