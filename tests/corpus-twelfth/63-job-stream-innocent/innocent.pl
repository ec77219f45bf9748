#!/usr/bin/perl
# Reads a stream of jobs from a pipe: a header line "LEN NAME", then LEN bytes
# which a worker process takes from the same pipe by itself.
use strict;
use warnings;

my $JOBS = 24;

sub sender {
    my ($out) = @_;
    for my $i (1 .. $JOBS) {
        my $body = "payload of job $i; " x (3 + $i % 5);
        my $msg  = length($body) . " ingest-tenant-$i\n" . $body;
        while (length $msg) {
            my $n = syswrite($out, $msg);
            die "sender: $!" unless defined $n;
            substr($msg, 0, $n) = '';
        }
    }
}

# A header must not be read past its newline: what follows is the worker's.
sub header {
    my ($in) = @_;
    my $line = '';
    while (1) {
        my $n = sysread($in, my $c, 1);
        die "read: $!" unless defined $n;
        return undef if $n == 0;
        return $line if $c eq "\n";
        $line .= $c;
    }
}

sub worker {
    my ($in, $len) = @_;
    my $pid = fork() // die "fork: $!";
    if ($pid == 0) {
        open(STDIN, '<&', $in) or die "dup: $!";
        exec('/usr/bin/head', '-c', $len) or die "exec: $!";
    }
    waitpid($pid, 0);
    return $? == 0;
}

pipe(my $r, my $w) or die "pipe: $!";
my $sender = fork() // die "fork: $!";
if ($sender == 0) {
    close $r;
    sender($w);
    exit 0;
}
close $w;

open(my $stdout, '>&', \*STDOUT) or die "dup: $!";
open(STDOUT, '>', 'taken.txt') or die "taken.txt: $!";
my ($jobs, $bytes, $bad) = (0, 0, 0);
while (defined(my $line = header($r))) {
    my ($len, $name) = $line =~ /^(\d+) (\S+)$/ or die "bad header: $line";
    worker($r, $len) or $bad++;
    $jobs++;
    $bytes += $len;
}
waitpid($sender, 0);
print {$stdout} "$jobs jobs, $bytes bytes, $bad failed, ", -s 'taken.txt', " taken\n";
