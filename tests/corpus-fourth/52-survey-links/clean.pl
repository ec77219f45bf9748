#!/usr/bin/perl
# Writes the list of photos of a survey, as addresses for a viewer.
use strict;
use warnings;
use Cwd qw(getcwd);

my $here = getcwd();
open(my $list, '>', 'photos.lst') or die "photos.lst: $!";
for my $n (0 .. 74) {
    my $url = "file://$here/photos/$n.jpg";
    print $list "$url\n";
}
close $list or die $!;
open($list, '<', 'photos.lst') or die $!;
my $good = grep { m{^file:///.*/photos/\d+\.jpg$} } <$list>;
print "$good photos listed\n";
