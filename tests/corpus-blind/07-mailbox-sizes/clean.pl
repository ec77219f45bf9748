#!/usr/bin/perl
# Reports the fill of all mailboxes and counts their messages.
use strict;
use warnings;

sub size_of {
    my ($fh) = @_;
    return -s $fh;
}

my ($messages, $bytes, $largest) = (0, 0, '');
my $max = -1;
for my $n (0 .. 89) {
    my $path = "mail/u$n.mbox";
    open(my $fh, '<', $path) or die "$path: $!";
    my $size = size_of($fh);
    while (my $line = <$fh>) {
        $messages++ if $line =~ /^From /;
    }
    close($fh);
    $bytes += $size;
    if ($size > $max) { $max = $size; $largest = $path }
}
print "$messages messages, $bytes bytes, largest $largest\n";
