#!/usr/bin/perl
# Counts the songs of a media library.
use strict;
use warnings;

sub scan {
    my ($dir, $count) = @_;
    opendir(my $dh, $dir) or die "$dir: $!";
    for my $name (sort readdir($dh)) {
        next if $name eq '.' || $name eq '..';
        my $path = "$dir/$name";
        if (-d $path) {
            $count->{dirs}++;
            scan($path, $count);
        } else {
            $count->{$name =~ /\.(\w+)$/ ? $1 : 'other'}++;
        }
    }
    closedir($dh);
}

my %count;
scan('media', \%count);
print join(', ', map { "$_ $count{$_}" } sort keys %count), "\n";
