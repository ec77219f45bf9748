#!/usr/bin/perl
# Starts the renderer (here: cksum) for each scene and keeps a log of the results.
use strict;
use warnings;
use POSIX ();

open my $log, '>', 'farm.log' or die "farm.log: $!";
$| = 1;

sub start_renderer {
    my ($scene, $out) = @_;
    my $pid = fork // die "fork: $!";
    return $pid if $pid;
    open STDIN,  '<', $scene or POSIX::_exit(126);
    open STDOUT, '>', $out   or POSIX::_exit(126);

    # all that we open is above $^F and so closed by exec itself
    exec 'cksum' or POSIX::_exit(127);
}

my $failed = 0;
for my $n (1 .. 4) {
    my $out = "scenes/s$n.sum";
    my $pid = start_renderer("scenes/s$n.txt", $out);
    waitpid $pid, 0;
    $failed++ if $? != 0;
    open my $in, '<', $out or die "$out: $!";
    my ($sum, $bytes) = split ' ', scalar <$in>;
    close $in;
    print {$log} "scene $n sum $sum\n";
    print "scene $n: $bytes bytes, sum $sum\n";
}
close $log or die "farm.log: $!";
print "failed: $failed\n";
