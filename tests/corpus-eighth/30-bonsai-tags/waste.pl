#!/usr/bin/perl
# Prints the tags for a bonsai show, a sheet for each bench.
use strict;
use warnings;

my @printers = qw(left right);
my %bench;

sub tag {
    my ($tree) = @_;
    my $kind = $tree->{evergreen} ? 'evergreen' : 'deciduous';
    return sprintf "+%s+\n|%-20s|\n|%-20s|\n|%-17d yr|\n+%s+\n", '-' x 20, $tree->{name}, $kind, $tree->{age}, '-' x 20;
}

sub print_sheet {
    my ($name, @tags) = @_;
    open my $out, '>', "printers/$printers[0]" or die "printers/$printers[0]: $!";
    print {$out} "SHEET $name\n", @tags, "\f";
    close $out;
    return;
}

open my $in, '<', 'trees.txt' or die "trees.txt: $!";
while (my $line = <$in>) {
    my ($name, $evergreen, $age, $bench) = split ' ', $line;
    push @{$bench{$bench}}, {name => $name, evergreen => $evergreen, age => $age};
}
close $in;

my $sheets = 0;
for my $name (sort keys %bench) {
    my @trees = sort { $b->{age} <=> $a->{age} || $a->{name} cmp $b->{name} } @{$bench{$name}};
    print_sheet($name, map { tag($_) } @trees);
    print "$name: ", scalar @trees, " tags, oldest $trees[0]{name} ($trees[0]{age})\n";
    $sheets++;
}
print "$sheets sheets printed\n";
