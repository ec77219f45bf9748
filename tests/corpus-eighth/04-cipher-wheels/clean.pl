#!/usr/bin/perl
# Encrypts messages with a two-wheel cipher and writes a report.
use strict;
use warnings;

my @alphabet = ('A' .. 'Z');
my %index;
@index{@alphabet} = (0 .. $#alphabet);

sub turn {
    my ($text, $first, $second) = @_;
    my $step = 0;
    my $out  = '';
    for my $ch (split //, $text) {
        if (exists $index{$ch}) {
            my $shift = $first + ($step % 5) * $second;
            $out .= $alphabet[($index{$ch} + $shift) % 26];
            $step++;
        }
    }
    $out =~ s/(.{5})/$1 /g;
    return $out;
}

sub emit {
    my ($fh, $title, $text) = @_;
    print {$fh} "$title\n  $text\n";
}

open my $in, '<', 'plain.txt' or die "plain.txt: $!";
my @messages = <$in>;
close $in;
chomp @messages;

open my $report, '>', 'wheels.txt' or die "wheels.txt: $!";
my ($n, $letters) = (0, 0);
for my $message (@messages) {
    $n++;
    my $secret = turn($message, $n % 26, 3);
    emit($report, "No. $n", $secret);
    $letters += ($secret =~ tr/A-Z//);
}
close $report or die "wheels.txt: $!";
print "$n messages, $letters letters\n";
