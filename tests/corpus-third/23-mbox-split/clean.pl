#!/usr/bin/perl
# Cuts an mbox into messages.
use strict;
use warnings;

open my $fh, '<:raw', 'all.mbox' or die "all.mbox: $!";
my $at = 0;

my $pending = <$fh>;

sub next_message {
    return unless defined $pending;
    my $msg = $pending;
    while (defined($pending = <$fh>)) {
        last if $pending =~ /^From / && $msg =~ /\n\n\z/;
        $msg .= $pending;
    }
    return $msg;
}

my ($count, $bytes, $last) = (0, 0, '');
while (defined(my $m = next_message())) {
    $count++;
    $bytes += length $m;
    ($last) = $m =~ /^Subject: (.*)$/m;
}
close $fh;
print "$count messages, $bytes bytes, last subject $last\n";
