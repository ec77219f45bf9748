#!/usr/bin/perl
# An order desk: each order is acknowledged to the client only when it is on disk.
# The client (a second process) sends the next order after the acknowledgement.
use strict;
use warnings;
use FindBin qw($Bin);
use IO::Handle;
use POSIX ();

my $journal = "$Bin/out/orders.journal";
my $ORDERS  = 40;

sub client {
    my ($to, $from) = @_;
    my $sum = 0;
    for my $n (1 .. $ORDERS) {
        printf $to "order %d customer %d amount %d\n", $n, $n % 7, $n * 31 % 400;
        my $ack = <$from>;
        die "order $n: no acknowledgement\n" unless defined $ack && $ack =~ /^ack (\d+)/;
        $sum += $1;
    }
    close $to;
    exit($sum == $ORDERS * ($ORDERS + 1) / 2 ? 0 : 1);
}

sub desk {
    my ($in, $out) = @_;
    open my $log, '>', $journal or die "$journal: $!";
    $log->autoflush(1);
    my ($orders, $total) = (0, 0);
    while (my $line = <$in>) {
        my ($n, $amount) = $line =~ /^order (\d+) .* amount (\d+)/ or next;
        print $log $line;
        $log->sync or die "sync: $!";
        print $out "ack $n\n";
        $orders++;
        $total += $amount;
    }
    close $log or die "$journal: $!";
    return ($orders, $total);
}

mkdir "$Bin/out" unless -d "$Bin/out";
pipe(my $desk_in,   my $client_out) or die $!;
pipe(my $client_in, my $desk_out)   or die $!;
$_->autoflush(1) for $client_out, $desk_out;

my $pid = fork() // die "fork: $!";
if ($pid == 0) {
    close $desk_in;
    close $desk_out;
    client($client_out, $client_in);
}
close $client_out;
close $client_in;
my ($orders, $total) = desk($desk_in, $desk_out);
waitpid $pid, 0;
printf "%d orders, total %d, client status %d\n", $orders, $total, $? >> 8;
