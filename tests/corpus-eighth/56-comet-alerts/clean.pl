#!/usr/bin/perl
# Sends the comet sightings of a night to the observers: one helper for each comet that is near.
use strict;
use warnings;
use POSIX ();

my %seen;
open my $in, '<', 'sightings.txt' or die "sightings.txt: $!";
while (my $line = <$in>) {
    my ($comet, $distance, $height) = split ' ', $line;
    push @{$seen{$comet}}, {distance => $distance, height => $height};
}
close $in;

sub shed_descriptors {
    opendir my $dir, '/proc/self/fd' or POSIX::_exit(125);
    my @open = grep { /^\d+$/ && $_ > 2 } readdir $dir;
    closedir $dir;
    POSIX::close($_) for @open;
    return;
}

sub alert {
    my ($comet, @heights) = @_;
    pipe my $from, my $to or die "pipe: $!";
    my $child = fork() // die "fork: $!";
    if ($child == 0) {
        open STDOUT, '>&', $to or POSIX::_exit(126);
        shed_descriptors();
        exec 'printf', "$comet at %d degrees\\n", @heights or POSIX::_exit(127);
    }
    close $to;
    my @lines = <$from>;
    close $from;
    waitpid $child, 0;
    $? == 0 or die "the helper for $comet failed\n";
    return @lines;
}

my ($sent, $far) = (0, 0);
for my $comet (sort keys %seen) {
    my @near = grep { $_->{distance} < 20 } @{$seen{$comet}};
    if (!@near) {
        $far++;
        next;
    }
    my @lines = alert($comet, map { $_->{height} } @near);
    print @lines;
    $sent += @lines;
}
print "$sent alerts, $far comets too far\n";
