#!/usr/bin/perl
# The judges' marks of a horse show: a filter process formats and writes them to the descriptor
# it was given, the parent makes each mark safe before it is announced.
use strict;
use warnings;
use IO::Handle;
use Socket;

open(my $book, '>', 'marks.txt') or die "marks.txt: $!\n";
socketpair(my $here, my $there, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die "socketpair: $!\n";
$_->autoflush(1) for $here, $there;

my $pid = fork() // die "fork: $!\n";
if (!$pid) {
    # the clerk: one line in, one formatted line to the book, one "ok" back
    close $here;
    my $nr = 0;
    while (my $line = <$there>) {
        chomp $line;
        my ($horse, $mark) = split /=/, $line;
        my $text = sprintf "%03d %-10s %5.2f\n", ++$nr, $horse, $mark;
        syswrite($book, $text) == length $text or exit 1;
        print {$there} "ok $nr\n";
    }
    exit 0;
}
close $there;

sub announce {
    my ($horse, $mark) = @_;
    print {$here} "$horse=$mark\n";
    my $answer = <$here>;
    die "the clerk has gone\n" unless defined $answer && $answer =~ /^ok (\d+)$/;
    $book->sync or die "marks.txt: $!\n";
    print "$horse: $mark entered as $1\n";
}

my @horses = qw(Bella Cato Dora Ezra Flip Gina Hugo Iris);
for my $round (1 .. 3) {
    for my $i (0 .. $#horses) {
        announce($horses[$i], 5 + ($i * 7 + $round * 3) % 50 / 10);
    }
}
close $here;
waitpid($pid, 0);
die "the clerk failed\n" if $?;
print -s 'marks.txt', " bytes in the book\n";
