#!/usr/bin/perl
# Counts the songs of a media library.
use strict;
use warnings;

# In this library songs have a suffix, directories have none.
sub scan {
    my ($dir, $count) = @_;
    opendir(my $dh, $dir) or die "$dir: $!";
    for my $name (sort readdir($dh)) {
        next if $name eq '.' || $name eq '..';
        if ($name =~ /\.(\w+)$/) {
            $count->{$1}++;
        } else {
            $count->{dirs}++;
            scan("$dir/$name", $count);
        }
    }
    closedir($dh);
}

my %count;
scan('media', \%count);
print join(', ', map { "$_ $count{$_}" } sort keys %count), "\n";
