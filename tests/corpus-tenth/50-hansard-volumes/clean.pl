#!/usr/bin/perl
# Index of the bound volumes of a parliament's debates.
use strict;
use warnings;

my (%by_decade, %speakers);
my ($volumes, $bytes, $divisions) = (0, 0, 0);
my @index;

sub decade {
    my ($seconds) = @_;
    my $year = (gmtime $seconds)[5] + 1900;
    return $year - $year % 10;
}

sub read_volume {
    my ($path) = @_;
    open(my $fh, '<', $path) or die "$path: $!\n";
    my ($size, $written) = (stat $fh)[7, 9];
    my $text = '';
    read($fh, $text, $size) == $size or die "$path: short\n";
    close $fh;

    my $names = 0;
    while ($text =~ /\bMR ([A-Z]+)/g) {
        $speakers{$1}++;
        $names++;
    }
    $divisions += () = $text =~ /\bdivided\b/g;
    return ($size, decade($written), $names);
}

opendir(my $dh, 'volumes') or die "volumes: $!\n";
my @names = sort grep { /\.txt$/ } readdir $dh;
closedir $dh;

for my $name (@names) {
    my ($size, $decade, $speeches) = read_volume("volumes/$name");
    $volumes++;
    $bytes += $size;
    $by_decade{$decade}++;
    push @index, "$name $decade $speeches\n";
}

open(my $out, '>', 'index.txt') or die "index.txt: $!\n";
print $out @index;
close $out or die "index.txt: $!\n";

print "$volumes volumes, $bytes bytes, $divisions divisions\n";
print "$_: $by_decade{$_}\n" for sort keys %by_decade;
my ($most) = sort { $speakers{$b} <=> $speakers{$a} || $a cmp $b } keys %speakers;
print "most often: $most\n";
