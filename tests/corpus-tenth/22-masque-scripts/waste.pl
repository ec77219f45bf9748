#!/usr/bin/perl
# Catalogue of masques: title, checksum of the text, and how long each part is.
use strict;
use warnings;

sub checksum {
    my ($path) = @_;
    open(my $fh, '<', $path) or die "$path: $!\n";
    local $/;
    my $text = <$fh>;
    close($fh);
    return unpack('%32C*', $text);
}

sub parts {
    my ($path) = @_;
    my ($title, %parts);
    open(my $fh, '<', $path) or die "$path: $!\n";
    while (my $line = <$fh>) {
        if ($line =~ /^title (.*)/) {
            $title = $1;
        } elsif ($line =~ /^(\w+): (.*)/) {
            $parts{$1} += length $2;
        }
    }
    close($fh);
    return ($title, \%parts);
}

my ($all, %letters) = (0);
open(my $out, '>', 'catalogue.txt') or die "catalogue.txt: $!\n";
for my $number (1 .. 36) {
    my $path = "masques/m$number.txt";
    my $sum = checksum($path);
    my ($title, $parts) = parts($path);
    $all += $sum;
    $letters{$_} += $parts->{$_} for keys %$parts;
    printf $out "%-30s %8d  %d parts\n", $title, $sum, scalar keys %$parts;
}
close($out) or die "catalogue.txt: $!\n";
print "$_: $letters{$_}\n" for sort keys %letters;
print "36 masques, sum $all\n";
