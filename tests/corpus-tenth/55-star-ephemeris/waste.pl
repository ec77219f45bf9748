#!/usr/bin/perl
# Carries the star table on to the next epoch: every place moves by its own motion.
use strict;
use warnings;
use Fcntl qw(SEEK_SET O_RDONLY O_DIRECTORY);
use IO::Handle;

my $years = 5;
my $table = 'ephemeris.tab';

sub move {
    my ($line) = @_;
    my ($star, $ra, $dec, $dra, $ddec) = split ' ', $line;
    $ra += $dra * $years / 60;
    $ra -= 360 if $ra >= 360;
    $ra += 360 if $ra < 0;
    $dec += $ddec * $years / 60;
    $dec = 90 if $dec > 90;
    return sprintf("%s %08.4f %+08.4f %+06.3f %+06.3f\n", $star, $ra, $dec, $dra, $ddec), $ra, $dec;
}

open(my $fh, '+<', $table) or die "$table: $!\n";
my @old = <$fh>;

my ($new, $north, $sum) = ('', 0, 0);
for my $line (@old) {
    my ($text, $ra, $dec) = move($line);
    $new .= $text;
    $north++ if $dec > 45;
    $sum += $ra;
}

seek($fh, 0, SEEK_SET) or die "$table: $!\n";
print {$fh} $new or die "$table: $!\n";
$fh->flush or die "$table: $!\n";
$fh->sync or die "$table: $!\n";
close $fh or die "$table: $!\n";

printf "%d stars carried on by %d years\n", scalar @old, $years;
printf "%d in the far north, mean right ascension %.3f\n", $north, $sum / @old;
