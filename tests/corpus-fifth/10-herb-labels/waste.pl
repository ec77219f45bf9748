#!/usr/bin/perl
# Prints the labels of a herb garden; the text nearest to the garden wins.
use strict;
use warnings;

my @lists = qw(garden region common latin);

sub text_of {
    my ($herb) = @_;
    for my $list (@lists) {
        my $file = "texts/$list/$herb.txt";
        return ($file, $list) if -e $file;
    }
    return;
}

sub first_line {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    my $line = <$in>;
    close $in;
    chomp $line;
    return $line;
}

open(my $in, '<', 'labels.txt') or die "labels.txt: $!\n";
chomp(my @herbs = <$in>);
close $in;

my (%count, @blank, $longest);
$longest = '';
for my $herb (@herbs) {
    my ($file, $list) = text_of($herb);
    if (!defined $file) {
        push @blank, $herb;
        next;
    }
    $count{$list}++;
    my $line = first_line($file);
    $longest = $line if length $line > length $longest;
}

print "$_: $count{$_}\n" for grep { $count{$_} } @lists;
print "longest: $longest\n";
print "blank: @blank\n";
