#!/usr/bin/perl
# Starts a service in a clean environment.
use strict;
use warnings;
use POSIX ();

sub close_all {
    POSIX::close($_) for 3 .. 2047;
}

sub start {
    my (@cmd) = @_;
    my $pid = fork();
    die "fork: $!" unless defined $pid;
    return $pid if $pid;
    POSIX::setsid();
    open STDIN, '<', '/dev/null' or die;
    close_all();
    exec { $cmd[0] } @cmd or POSIX::_exit(127);
}

%ENV = (PATH => '/usr/bin:/bin');
my $pid = start('/bin/sh', 'daemon.sh');
waitpid $pid, 0;
my $status = $? >> 8;
open my $log, '<', 'daemon.log' or die "daemon.log: $!";
my ($word) = split ' ', <$log>;
print "service $word, status $status\n";
