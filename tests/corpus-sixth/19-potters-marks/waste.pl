#!/usr/bin/perl
# Collects the marks of potters into one sprite sheet.
use strict;
use warnings;

sub read_mark {
    my ($path) = @_;
    open my $fh, '<:raw', $path or die "$path: $!";
    my $size = -s $fh;
    my $svg = '';
    while (1) {
        my $n = sysread $fh, $svg, $size, length $svg;
        die "$path: $!" unless defined $n;
        last if $n == 0;
    }
    die "$path changed while it was read" if length $svg != $size;
    close $fh;
    return $svg;
}

my $sheet = qq(<svg xmlns="http://www.w3.org/2000/svg">\n);
my ($area, $bytes, %potters) = (0, 0);
for my $n (1 .. 72) {
    my $svg = read_mark("marks/m$n.svg");
    $bytes += length $svg;
    my ($w, $h) = $svg =~ /width="(\d+)" height="(\d+)"/ or die "mark $n has no size";
    my ($potter) = $svg =~ m{<desc>(.*)</desc>} or die "mark $n has no potter";
    my ($inner) = $svg =~ m{<svg[^>]*>(.*)</svg>}s;
    $area += $w * $h;
    $potters{$potter}++;
    $sheet .= qq(<symbol id="m$n" viewBox="0 0 $w $h">$inner</symbol>\n);
}
$sheet .= "</svg>\n";

open my $out, '>:raw', 'sheet.svg' or die "sheet.svg: $!";
print $out $sheet;
close $out or die "sheet.svg: $!";

printf "%d potters, area %d, %d bytes in\n", scalar keys %potters, $area, $bytes;
printf "%d bytes of sprite sheet\n", length $sheet;
