#!/usr/bin/perl
# Puts notes into a folder that a group works on together.
use strict;
use warnings;
use Fcntl;

umask 022;
my $writable = 0;
for my $n (1 .. 18) {
    sysopen(my $note, "notes/n$n", O_WRONLY | O_CREAT | O_EXCL, 0664) or die "n$n: $!";
    print $note "note $n\n";
    chmod 0664, $note or die "n$n: $!";
    close $note or die "n$n: $!";
    $writable++ if ((stat "notes/n$n")[2] & 020);
}
print "18 notes, $writable writable by the group\n";
