#!/usr/bin/perl
# Enters the trains of the day in the logs of the crossing keepers.
use strict;
use warnings;
use Fcntl qw(O_WRONLY O_APPEND F_GETFL F_SETFL);

my %log;

sub keeper_log {
    my ($keeper) = @_;
    return $log{$keeper} if $log{$keeper};
    my $path = "logs/k$keeper.log";
    sysopen(my $fh, $path, O_WRONLY) or die "$path: $!\n";
    my $flags = fcntl($fh, F_GETFL, 0) or die "$path: $!\n";
    fcntl($fh, F_SETFL, $flags | O_APPEND) or die "$path: $!\n";
    $log{$keeper} = $fh;
    return $fh;
}

open(my $in, '<', 'trains.txt') or die "trains.txt: $!\n";
my (%kinds, $trains);
while (my $line = <$in>) {
    chomp $line;
    my ($keeper, $time, $kind) = split / /, $line;
    my $fh = keeper_log($keeper);
    printf $fh "%s %s train passed, gates %s\n",
        $time, $kind, $kind eq 'mail' ? 'closed early' : 'closed';
    $kinds{$kind}++;
    $trains++;
}
close($in);

for my $keeper (keys %log) {
    close($log{$keeper}) or die "logs/k$keeper.log: $!\n";
}
print "$_: $kinds{$_}\n" for sort keys %kinds;
print "$trains trains in ", scalar(keys %log), " logs\n";
