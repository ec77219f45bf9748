#!/usr/bin/perl
# Routes incoming records into queues by priority.
use strict;
use warnings;

my %out;
my %fh;

sub queue_for {
    my ($prio) = @_;
    my $q = $prio == 0 ? 'dead' : $prio < 3 ? 'fast' : 'bulk';
    return $q;
}

open my $in, '<', 'incoming.txt' or die "incoming.txt: $!";
while (my $line = <$in>) {
    chomp $line;
    my ($id, $prio, $rcpt) = split / /, $line, 3;
    my $q = queue_for($prio);
    die "no queue $q\n" unless -d "queue/$q";
    unless ($fh{$q}) {
        open $fh{$q}, '>', "queue/$q/batch" or die "queue/$q: $!";
    }
    print { $fh{$q} } "$id\t$rcpt\n";
    $out{$q}++;
}
close $_ or die "close: $!" for values %fh;
print join(', ', map { "$_ $out{$_}" } sort keys %out), "\n";
