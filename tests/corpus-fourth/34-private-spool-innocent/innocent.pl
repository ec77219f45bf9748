#!/usr/bin/perl
# Spools pages into a private directory in /tmp and counts them.
use strict;
use warnings;
use File::Temp qw(tempdir);

my $dir = tempdir('spool-XXXXXXXX', DIR => '/tmp', CLEANUP => 1);
for my $n (1 .. 15) {
    open(my $page, '>', "$dir/page$n") or die "$dir/page$n: $!";
    print $page "page $n\n", "text " x $n, "\n";
    close $page or die $!;
}
my $bytes = 0;
$bytes += -s $_ for glob "$dir/page*";
print "15 pages, $bytes bytes\n";
