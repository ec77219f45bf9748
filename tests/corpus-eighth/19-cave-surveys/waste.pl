#!/usr/bin/perl
# Adds up the lengths of cave passages from survey files named in a manifest.
use strict;
use warnings;
use Fcntl;

sub load {
    my ($path, $size) = @_;
    sysopen my $fh, $path, O_RDONLY or die "$path: $!";
    my $text = '';
    while (1) {
        my $n = sysread $fh, $text, 8192, length $text;
        die "$path: $!" unless defined $n;
        last if $n == 0;
    }
    die "$path: wrong length" unless length $text == $size;
    close $fh;
    return $text;
}

sub passages {
    my ($text) = @_;
    my ($legs, $metres, $north) = (0, 0, 0);
    for my $line (split /\n/, $text) {
        my (undef, undef, $length, $bearing) = split ' ', $line;
        $legs++;
        $metres += $length;
        $north++ if $bearing < 45 || $bearing >= 315;
    }
    return ($legs, $metres, $north);
}

open my $manifest, '<', 'manifest' or die "manifest: $!";
my ($caves, $legs, $metres, $north) = (0, 0, 0, 0);
my ($longest, $best) = ('', 0);
while (<$manifest>) {
    my ($path, $size) = split;
    my ($l, $m, $n) = passages(load($path, $size));
    $caves++;
    $legs   += $l;
    $metres += $m;
    $north  += $n;
    ($longest, $best) = ($path, $m) if $m > $best;
}
close $manifest;
printf "%d caves, %d legs, %.1f m, %d legs to the north\n", $caves, $legs, $metres, $north;
printf "longest %s with %.1f m\n", $longest, $best;
