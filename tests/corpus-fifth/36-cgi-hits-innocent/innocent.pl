#!/usr/bin/perl
# A page counter in the old CGI way: the server starts this program for each request, and each start
# notes its own hit. Without arguments it plays the server.
use strict;
use warnings;
use Fcntl qw(:flock);

my $log = 'hits.log';

sub note_hit {
    my ($page, $client) = @_;
    open my $out, '>>', $log or die "$log: $!";
    flock $out, LOCK_EX or die "$log: $!";
    print {$out} "$client $page\n" or die "$log: $!";
    close $out or die "$log: $!";
}

sub answer {
    my ($page, $client) = @_;
    note_hit($page, $client);
    print "Status: 200\nContent-Type: text/plain\n\n$page for $client\n";
}

if (@ARGV) {
    answer(@ARGV);
    exit 0;
}

my @pages = qw(/start /map /times /contact);
my $bytes = 0;
for my $n (1 .. 24) {
    my $page = $pages[ $n * 7 % @pages ];
    open my $request, '-|', $^X, $0, $page, "client" . $n % 5 or die "request: $!";
    local $/;
    $bytes += length <$request>;
    close $request or die "request failed: $?";
}
my %hits;
open my $in, '<', $log or die "$log: $!";
while (<$in>) {
    my (undef, $page) = split;
    $hits{$page}++;
}
close $in;
print "answered: $bytes bytes\n";
print "$_ $hits{$_}\n" for sort keys %hits;
