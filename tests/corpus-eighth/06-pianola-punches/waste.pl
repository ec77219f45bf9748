#!/usr/bin/perl
# Punches a pianola roll: one block of 2048 bytes for each chord of the score.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :seek);

my $BLOCK = 2048;

sub punch {
    my @keys = @_;
    my $row = 0;
    for my $key (@keys) {
        $row |= 1 << $key;
    }
    my $block = '';
    for my $tick (0 .. 1023) {
        my $on = ($tick % 64) < 48 ? $row : 0;
        $block .= pack 'v', $on;
    }
    return $block;
}

sub load {
    my ($name) = @_;
    open my $fh, '<', $name or die "$name: $!";
    my @chords = map { [split] } <$fh>;
    close $fh;
    return @chords;
}

my @chords = load('chords.txt');
sysopen my $roll, 'roll.bin', O_WRONLY | O_CREAT | O_TRUNC or die "roll.bin: $!";
my $holes = 0;
for my $n (0 .. $#chords) {
    my $block = punch(@{ $chords[$n] });
    sysseek $roll, $n * $BLOCK, SEEK_SET or die "seek: $!";
    my $done = syswrite $roll, $block;
    die "roll.bin: $!" unless defined $done && $done == $BLOCK;
    $holes += unpack '%32b*', $block;
}
close $roll or die "roll.bin: $!";
printf "%d chords, %d bytes, %d holes\n", scalar @chords, $BLOCK * @chords, $holes;
