#!/usr/bin/perl
# A log that somebody else rotates at any time.
use strict;
use warnings;
use Fcntl ':flock';

my $log = 'log/app.log';

sub record {
    my ($text) = @_;
    open my $fh, '>>', $log or die "$log: $!";
    flock $fh, LOCK_EX or die "lock: $!";
    print $fh "$text\n";
    close $fh or die "$log: $!";
}

# stands for logrotate, a process of its own in real life
sub rotate {
    my ($n) = @_;
    my $pid = fork();
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        rename $log, "$log.$n" or exit 1;
        exit 0;
    }
    waitpid $pid, 0;
    die "rotate failed\n" if $?;
}

my $n = 0;
for my $i (1 .. 45) {
    record("request $i");
    rotate(++$n) if $i % 3 == 0;
}
opendir my $d, 'log' or die;
my @files = grep { /^app\.log\.\d+$/ } readdir $d;
my $lines = 0;
for my $f (@files) {
    open my $in, '<', "log/$f" or die;
    $lines++ while <$in>;
}
print scalar(@files), " logs, $lines lines\n";
