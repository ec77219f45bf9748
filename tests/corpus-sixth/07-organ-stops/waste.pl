#!/usr/bin/perl
# Reads the stop definitions of an organ and prints its specification.
use strict;
use warnings;
use Fcntl qw(SEEK_SET SEEK_END);

sub load_stop {
    my ($path) = @_;
    open my $fh, '<:raw', $path or die "$path: $!";
    seek $fh, 0, SEEK_END;
    my $length = tell $fh;
    seek $fh, 0, SEEK_SET;
    my $text;
    my $got = read($fh, $text, $length);
    die "$path: short read" unless defined $got && $got == $length;
    close $fh;
    return (\$text, $length);
}

sub parse {
    my ($text) = @_;
    my %stop;
    for my $line (split /\n/, $$text) {
        my ($key, $value) = split /=/, $line, 2;
        die "bad line: $line" unless defined $value;
        $stop{$key} = $value;
    }
    return \%stop;
}

my (%feet, $pipes, $bytes, $wind);
for my $n (1 .. 56) {
    my ($text, $length) = load_stop("stops/stop$n.def");
    my $stop = parse($text);
    $bytes += $length;
    $pipes += $stop->{pipe};
    $wind = $stop->{wind} if !defined $wind || $stop->{wind} > $wind;
    push @{ $feet{ $stop->{feet} } }, $n;
}

for my $feet (sort { $a <=> $b } keys %feet) {
    printf "%2d' ranks: %d stops, first %d\n", $feet, scalar @{ $feet{$feet} }, $feet{$feet}[0];
}
print "$pipes pipes, wind $wind mm, $bytes bytes of definitions\n";
