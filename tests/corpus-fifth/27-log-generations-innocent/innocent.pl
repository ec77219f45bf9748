#!/usr/bin/perl
# The journal of a canal lock: when the log has grown enough, its generations move up by one.
use strict;
use warnings;
use Errno;

my $log   = 'logs/lock-keeper.log';
my $limit = 1500;
my $keep  = 3;

my $out;
my $size = 0;

sub open_log {
    open($out, '>>', $log) or die "$log: $!\n";
    $size = -s $out;
}

# The last generation falls away, the others get the next number.
sub rotate {
    close $out or die "$log: $!\n";
    for my $n (reverse 1 .. $keep - 1) {
        rename "$log.$n", "$log." . ($n + 1) or $!{ENOENT} or die "$log.$n: $!\n";
    }
    rename $log, "$log.1" or die "$log: $!\n";
    open_log();
}

sub note {
    my ($text) = @_;
    rotate() if $size > $limit;
    print {$out} "$text\n" or die "$log: $!\n";
    $size += length($text) + 1;
}

open_log();
my $passages = 0;
for my $day (1 .. 20) {
    for my $ship (1 .. 12) {
        note(sprintf 'day %02d ship %03d %s', $day, $ship * $day % 101, $ship % 2 ? 'up' : 'down');
        $passages++;
    }
}
close $out or die "$log: $!\n";

print "$passages passages\n";
for my $n ('', map { ".$_" } 1 .. $keep) {
    printf "%s: %d bytes\n", "lock-keeper.log$n", -s "$log$n";
}
