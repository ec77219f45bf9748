#!/usr/bin/perl
# Gives each tape to a reader process of its own, as an open descriptor, not by name.
use strict;
use warnings;
use Fcntl qw(F_GETFD F_SETFD FD_CLOEXEC);

# All tapes are open at once; perl opens them close-on-exec.
my @tapes;
for my $i (1 .. 12) {
    my $name = sprintf 'tapes/t%02d', $i;
    open(my $fh, '<', $name) or die "$name: $!\n";
    push @tapes, $fh;
}

# Starts a reader that inherits this one tape and none of the others.
sub reader {
    my ($fh) = @_;
    pipe(my $from, my $to) or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        my $flags = fcntl($fh, F_GETFD, 0) or die "fcntl: $!\n";
        fcntl($fh, F_SETFD, $flags & ~FD_CLOEXEC) or die "fcntl: $!\n";
        open(STDOUT, '>&', $to) or die "dup: $!\n";
        exec 'bash', '-c', 'read line <&"$1"; echo "$line"; ls -l /proc/$$/fd | grep -c /tapes/t', 'sh', fileno $fh;
        die "exec: $!\n";
    }
    close $to;
    my ($line, $open) = <$from>;
    waitpid $pid, 0;
    die "reader failed\n" if $?;
    chomp $line;
    return ($line, $open);
}

my $blocks = 0;
my $most = 0;
for my $fh (@tapes) {
    my ($line, $open) = reader($fh);
    my ($n) = $line =~ /(\d+) blocks/;
    $blocks += $n;
    $most = $open if $open > $most;
    close $fh;
}
printf "%d tapes, %d blocks\n", scalar @tapes, $blocks;
print $most == 1 ? "no reader had a foreign tape\n" : "foreign tapes: $most\n";
