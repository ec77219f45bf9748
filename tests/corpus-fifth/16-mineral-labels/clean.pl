#!/usr/bin/perl
# Prints the labels of a drawer of minerals with the place where each piece really lies.
use strict;
use warnings;
use Cwd qw(realpath getcwd);

my $drawer = 'museum/quartz/drawer2';

sub pieces {
    my ($dir) = @_;
    opendir(my $dh, $dir) or die "$dir: $!\n";
    my @names = sort grep { /^m\d+\.txt$/ } readdir $dh;
    closedir $dh;
    return @names;
}

my $real_drawer = realpath($drawer) // die "$drawer: $!\n";

sub place_of {
    my ($name) = @_;
    my $real = "$real_drawer/$name";
    $real = realpath($real) // die "$real: $!\n" if -l $real;
    return $real;
}

sub short {
    my ($real, $root) = @_;
    return substr $real, length($root) + 1;
}

my $root = realpath(getcwd());
my (%where, @labels);
for my $name (pieces($drawer)) {
    my $place = short(place_of($name), $root);
    my ($hall, $case) = $place =~ m{/(hall\d+)/(case\d+)/};
    $where{"$hall $case"}++;
    push @labels, sprintf '%-8s %s', $name =~ s/\.txt$//r, $place;
}

print "$_\n" for @labels[0, 1], '...', $labels[-1];
print "$_: $where{$_} pieces\n" for sort keys %where;
