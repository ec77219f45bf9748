#!/usr/bin/perl
# Counts the messages of a mailbox by sender.
use strict;
use warnings;
use Fcntl qw(SEEK_CUR);

open(my $box, '<:raw', 'big.mbox') or die "big.mbox: $!";
my $rest = '';

# Returns the next message, or undef at the end.
sub next_message {
    my $end;
    while (($end = index($rest, "\nFrom ", 1)) < 0) {
        my $got = sysread($box, $rest, 65536, length $rest);
        die "big.mbox: $!" unless defined $got;
        last unless $got;
    }
    return undef unless length $rest;
    return substr($rest, 0, $end + 1, '') if $end >= 0;
    my $last = $rest;
    $rest = '';
    return $last;
}

my (%by, $messages, $bytes);
while (defined(my $message = next_message())) {
    $messages++;
    $bytes += length $message;
    $by{$1}++ if $message =~ /^From (\w+)/;
}
close($box);
print "$messages messages, $bytes bytes, user0 $by{user0}\n";
