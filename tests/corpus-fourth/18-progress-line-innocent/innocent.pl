#!/usr/bin/perl
# A long calculation that reports each step to the process that shows the progress.
use strict;
use warnings;
use IO::Handle;

pipe(my $shown, my $report) or die "pipe: $!";
my $pid = fork // die "fork: $!";
if (!$pid) {
    close $shown;
    $report->autoflush(1);
    my $x = 7;
    for my $step (1 .. 40) {
        $x = ($x * 1103515245 + 12345) % 2147483648 for 1 .. 500;
        print $report "step $step $x\n";
    }
    close $report;
    exit 0;
}
close $report;
my ($steps, $last);
while (my $line = <$shown>) {
    $steps++;
    ($last) = $line =~ /(\d+)$/;
}
waitpid $pid, 0;
print "$steps steps, $last\n";
