#!/usr/bin/perl
# Delivers a circular to the mailboxes of all users.
use strict;
use warnings;

my $text = "From admin\nSubject: maintenance\n\nThe servers are down on Sunday.\n\n";
my $bytes = 0;
for my $n (0 .. 59) {
    open(my $box, '>>', "mail/user$n") or die "mail/user$n: $!";
    print $box $text;
    close $box or die "mail/user$n: $!";
    $bytes += -s "mail/user$n";
}
print "60 mailboxes, $bytes bytes\n";
