#!/usr/bin/perl
# Starts a rider (a helper program) per stable, as the old post office daemon did.
use strict;
use warnings;
use POSIX ();

sub start_rider {
    my ($stable, $out) = @_;
    my $pid = fork() // die "fork: $!\n";
    return $pid if $pid;

    # nothing of ours may stay open in the helper
    open(STDIN, '<', $stable) or POSIX::_exit(126);
    open(STDOUT, '>', $out) or POSIX::_exit(126);
    POSIX::close($_) for 3 .. 2047;
    exec { 'sort' } 'sort', '-u' or POSIX::_exit(127);
}

sub count_lines {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    my $n = 0;
    $n++ while <$in>;
    close $in;
    return $n;
}

mkdir 'rides' or die "rides: $!\n";
my %rider;
for my $stable (qw(oak mill ford hill)) {
    my $pid = start_rider("stables/$stable.txt", "rides/$stable.txt");
    $rider{$pid} = $stable;
}

my %status;
while ((my $pid = wait) > 0) {
    $status{ $rider{$pid} } = $?;
}
for my $stable (sort keys %status) {
    die "$stable: helper failed\n" if $status{$stable};
    printf "%s: %d horses\n", $stable, count_lines("rides/$stable.txt");
}
