#!/usr/bin/perl
# Dumps the sessions of a server. ulimit -f of the service account is 16 blocks of 512 bytes.
use strict;
use warnings;

if (!@ARGV) {
    exec 'sh', '-c', 'ulimit -f 16; exec perl "$0" limited', $0;
}
$SIG{XFSZ} = 'IGNORE';
open(my $out, '>', 'sessions.dump') or die "sessions.dump: $!";
my $active = 0;
my $lost = 0;
for my $n (1 .. 900) {
    my $idle = $n * 37 % 1800;
    $active++ if $idle < 600;
    print $out "session=$n user=u", $n % 50, " idle=$idle\n" or $lost = 1;
}
close $out or $lost = 1;
warn "sessions.dump is not whole: $!\n" if $lost;
print "900 sessions, $active active\n";
