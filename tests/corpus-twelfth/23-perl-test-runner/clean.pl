#!/usr/bin/perl
# A small TAP runner: starts each t/*.t in a child and counts its results.
use strict;
use warnings;
use FindBin qw($Bin);
use POSIX ();

# The tests must not inherit the runner's own descriptors.
sub close_inherited {
    opendir my $dir, '/proc/self/fd' or return;
    my @open = grep { /^\d+$/ && $_ > 2 } readdir $dir;
    closedir $dir;
    POSIX::close($_) for @open;
}

sub start_test {
    my ($file) = @_;
    pipe(my $read, my $write) or die "pipe: $!";
    my $pid = fork();
    die "fork: $!" unless defined $pid;
    if ($pid == 0) {
        open STDIN, '<', '/dev/null' or POSIX::_exit(126);
        POSIX::dup2(fileno($write), 1);
        close_inherited();
        exec '/bin/sh', $file or POSIX::_exit(127);
    }
    close $write;
    return ($pid, $read);
}

sub run_test {
    my ($file) = @_;
    my ($pid, $out) = start_test($file);
    my %result = (file => $file, planned => 0, ok => 0, failed => 0);
    while (my $line = <$out>) {
        if    ($line =~ /^1\.\.(\d+)/) { $result{planned} = $1 }
        elsif ($line =~ /^not ok\b/)   { $result{failed}++ }
        elsif ($line =~ /^ok\b/)       { $result{ok}++ }
    }
    close $out;
    waitpid $pid, 0;
    $result{status} = $? >> 8;
    return \%result;
}

my ($tests, $bad) = (0, 0);
for my $file (sort glob "$Bin/t/*.t") {
    my $r    = run_test($file);
    my $fine = $r->{status} == 0 && !$r->{failed} && $r->{ok} == $r->{planned};
    (my $name = $file) =~ s{.*/}{};
    printf "%-16s %s (%d/%d)\n", $name, $fine ? 'ok' : 'FAILED', $r->{ok}, $r->{planned};
    $tests += $r->{planned};
    $bad++ unless $fine;
}
printf "%d assertions, %d files failed\n", $tests, $bad;
