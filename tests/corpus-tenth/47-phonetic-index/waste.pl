#!/usr/bin/perl
# Finds words that sound alike: perl prog.pl WORD. Without a word it runs a few searches.
use strict;
use warnings;

my $index = 'words/index';

sub sound {
    my ($word) = @_;
    my $code = uc $word;
    my $first = substr $code, 0, 1;
    $code =~ tr/AEIOUYHWBFPVCGJKQSXZDTLMNR/00000000111122222222334556/;
    $code =~ s/(\d)\1+/$1/g;
    substr($code, 0, 1) = $first;
    $code =~ s/0//g;
    return substr "${code}0000", 0, 5;
}

sub sources {
    opendir(my $dh, 'words') or die "words: $!\n";
    return map { "words/$_" } sort grep { /\.txt$/ } readdir $dh;
}

sub fresh {
    my $made = (stat $index)[9] or return 0;
    return $made > (stat 'words')[9];
}

sub build {
    my %by_sound;
    for my $file (sources()) {
        open(my $in, '<', $file) or die "$file: $!\n";
        while (my $word = <$in>) {
            chomp $word;
            push @{ $by_sound{ sound($word) } }, $word;
        }
        close $in;
    }
    open(my $out, '>', "$index.new") or die "$index.new: $!\n";
    print $out join(' ', $_, sort @{ $by_sound{$_} }), "\n" for sort keys %by_sound;
    close $out or die "$index.new: $!\n";
    rename "$index.new", $index or die "$index: $!\n";
}

sub search {
    my ($word) = @_;
    build() unless fresh();
    open(my $in, '<', $index) or die "$index: $!\n";
    my $wanted = sound($word);
    my ($line) = grep { /^$wanted / } <$in>;
    close $in;
    my @alike = split ' ', $line // '';
    shift @alike;
    printf "%s (%s): %d alike%s\n", $word, $wanted, scalar @alike, @alike ? ", first $alike[0]" : '';
}

if (@ARGV) {
    search($ARGV[0]);
    exit 0;
}
for my $word (qw(robertbh rupertca ashcraftbd tymczakcc pfisterbi honeyman robertci lloyd)) {
    system($^X, $0, $word) == 0 or die "search for $word failed\n";
}
