#!/usr/bin/perl
# Sets the phrases of a sailors' phrase book into its chapters. Each chapter is a run of its own:
#   PROGRAM            all chapters
#   PROGRAM CHAPTER    one chapter
use strict;
use warnings;

my ($source, $index) = ('phrases.txt', 'phrases.idx');

sub parse_source {
    my %phrase;
    open my $in, '<', $source or die "$source: $!";
    while (my $line = <$in>) {
        chomp $line;
        my ($term, $text) = $line =~ /^(\w+) = (.+)$/ or die "$source: bad line $.\n";
        $phrase{$term} = $text;
    }
    close $in;
    return \%phrase;
}

sub write_index {
    my ($phrase) = @_;
    open my $out, '>', $index or die "$index: $!";
    print {$out} map {"$_\t$phrase->{$_}\n"} sort keys %$phrase;
    close $out or die "$index: $!";
    return;
}

sub phrases {
    my $made = (stat $index)[9];
    my $edited = (stat $source)[9];
    if (defined $made && $made >= $edited) {
        open my $in, '<', $index or die "$index: $!";
        my %phrase = map { chomp; split /\t/ } <$in>;
        return \%phrase;
    }
    my $phrase = parse_source();
    write_index($phrase);
    return $phrase;
}

sub chapter {
    my ($path) = @_;
    my $phrase = phrases();
    my ($set, $missing) = (0, 0);
    open my $in, '<', $path or die "$path: $!";
    while (my $line = <$in>) {
        my ($term) = $line =~ /^say (\w+)/ or next;
        exists $phrase->{$term} ? $set++ : $missing++;
    }
    close $in;
    print "$path: $set set, $missing missing\n";
    return;
}

if (@ARGV) {
    chapter($ARGV[0]);
}
else {
    for my $c (1 .. 6) {
        system($^X, $0, "chapter$c.txt") == 0 or die "chapter $c failed\n";
    }
}
