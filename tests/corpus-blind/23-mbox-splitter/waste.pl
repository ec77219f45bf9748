#!/usr/bin/perl
# Counts the messages of a mailbox by sender.
use strict;
use warnings;
use Fcntl qw(SEEK_CUR);

open(my $box, '<:raw', 'big.mbox') or die "big.mbox: $!";

# Returns the next message, or undef at the end.
sub next_message {
    my $got = sysread($box, my $block, 65536);
    die "big.mbox: $!" unless defined $got;
    return undef unless $got;
    my $end = index($block, "\nFrom ", 1);
    if ($end >= 0) {
        sysseek($box, $end + 1 - $got, SEEK_CUR) or die "seek: $!";
        return substr($block, 0, $end + 1);
    }
    return $block;
}

my (%by, $messages, $bytes);
while (defined(my $message = next_message())) {
    $messages++;
    $bytes += length $message;
    $by{$1}++ if $message =~ /^From (\w+)/;
}
close($box);
print "$messages messages, $bytes bytes, user0 $by{user0}\n";
