#!/usr/bin/perl
# Makes the album page of a music collection.
use strict;
use warnings;

my @suffixes = qw(png gif webp jpeg jpg);

sub cover {
    my ($album) = @_;
    for my $suffix (@suffixes) {
        return "covers/$album.$suffix" if -e "covers/$album.$suffix";
    }
    return undef;
}

my ($with, $without, $page) = (0, 0, "<table>\n");
for my $album (0 .. 94) {
    my $picture = cover($album);
    if (defined $picture) {
        $with++;
        $page .= qq{<tr><td><img src="$picture"></td><td>Album $album</td></tr>\n};
    } else {
        $without++;
        $page .= "<tr><td></td><td>Album $album</td></tr>\n";
    }
}
$page .= "</table>\n";
open(my $out, '>', 'albums.html') or die "albums.html: $!";
print $out $page;
close($out) or die "albums.html: $!";
print "with cover $with, without $without, page ", length($page), "\n";
