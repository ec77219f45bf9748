#!/usr/bin/perl
# Puts the fragments of an upload together; each must have the length that it says.
use strict;
use warnings;

open(my $out, '>:raw', 'upload.bin') or die "upload.bin: $!";
my $total = 0;
for my $path (sort glob 'fragments/part.*') {
    open(my $in, '<:raw', $path) or die "$path: $!";
    my $length = -s $in;
    my ($got, $chunk) = (0, '');
    while ($got < $length) {
        my $n = sysread($in, $chunk, 8192) or last;
        print $out $chunk;
        $got += $n;
    }
    $got == $length or die "$path: $got of $length bytes\n";
    $total += $got;
    close $in;
}
close $out or die "upload.bin: $!";
open(my $check, '<:raw', 'upload.bin') or die;
printf "%d bytes, %d lines\n", $total, scalar(() = <$check>);
