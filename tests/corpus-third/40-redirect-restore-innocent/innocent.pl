#!/usr/bin/perl
# Runs report functions with their output going to files.
use strict;
use warnings;

my %report = (
    users => sub { print "user $_\n" for 1 .. 8 },
    hosts => sub { print "host $_\n" for qw(a b c) },
    jobs  => sub { printf "job %d at %d\n", $_, $_ * 60 for 1 .. 5 },
);

sub into_file {
    my ($file, $code) = @_;
    open my $saved, '>&', \*STDOUT or die "dup: $!";
    open STDOUT, '>', $file or die "$file: $!";
    $code->();
    close STDOUT or die "$file: $!";
    open STDOUT, '>&', $saved or die "restore: $!";
    close $saved;
}

my $total = 0;
for my $name (sort keys %report) {
    into_file("out/$name.txt", $report{$name});
    $total += -s "out/$name.txt";
}
print scalar(keys %report), " reports, $total bytes\n";
