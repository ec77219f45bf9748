#!/usr/bin/perl
use strict;
use warnings;

# Sorts the messages of the carrier pigeons by the post they are for.

sub message {
    my ($path) = @_;
    open my $fh, '<:raw', $path or die "$path: $!";
    my $size = -s $fh;
    die "$path: too long for a pigeon\n" if $size > 4000;
    my $text = '';
    while (1) {
        my $n = sysread $fh, $text, 4096, length $text;
        die "$path: $!" unless defined $n;
        last if $n == 0;
    }
    die "$path: cut short\n" if length $text != $size;
    close $fh;
    return $text;
}

my (%post, %wind);
my $letters = 0;
for my $bird (0 .. 39) {
    my $text = message("loft/bird$bird.msg");
    my ($to) = $text =~ /^to: (\w+)$/m;
    my ($wind) = $text =~ /^wind: (\d+)$/m;
    push @{ $post{$to} }, $bird;
    $wind{$wind}++;
    $letters += length $text;
}

print "$_: birds @{ $post{$_} }\n" for sort keys %post;
my ($often) = sort { $wind{$b} <=> $wind{$a} || $a <=> $b } keys %wind;
print "most often wind $often, $letters letters\n";
