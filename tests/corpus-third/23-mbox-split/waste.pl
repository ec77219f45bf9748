#!/usr/bin/perl
# Cuts an mbox into messages.
use strict;
use warnings;

open my $fh, '<:raw', 'all.mbox' or die "all.mbox: $!";
my $at = 0;

sub next_message {
    my $buf;
    my $n = sysread $fh, $buf, 2048 or return;
    my $end = index $buf, "\n\nFrom ", 1;
    my $len = $end < 0 ? $n : $end + 2;
    $at += $len;
    sysseek $fh, $at, 0;
    return substr $buf, 0, $len;
}

my ($count, $bytes, $last) = (0, 0, '');
while (defined(my $m = next_message())) {
    $count++;
    $bytes += length $m;
    ($last) = $m =~ /^Subject: (.*)$/m;
}
close $fh;
print "$count messages, $bytes bytes, last subject $last\n";
