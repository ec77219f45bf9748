#!/usr/bin/perl
# whatis: one line about a command, out of a cached index.
use strict;
use warnings;

my ($dir, $cache) = ('man', 'man/.index');

sub build {
    my %line;
    opendir my $d, $dir or die "$dir: $!";
    for my $f (grep { /\.1$/ } readdir $d) {
        open my $fh, '<', "$dir/$f" or next;
        while (<$fh>) { $line{$1} = $_ if /^(\w+) - / }
    }
    open my $out, '>', "$cache.$$" or die "$cache: $!";
    print $out map { $line{$_} } sort keys %line;
    close $out or die "$cache: $!";
    rename "$cache.$$", $cache or die "$cache: $!";
}

sub lookup {
    my ($name) = @_;
    my $have = (stat $cache)[9];
    build() if !defined $have || $have <= (stat $dir)[9];
    open my $in, '<', $cache or die "$cache: $!";
    while (<$in>) { return $_ if /^\Q$name\E - / }
    return "$name: nothing appropriate\n";
}

if (@ARGV) {
    print lookup($ARGV[0]);
    exit 0;
}
# without arguments: the self-test, one process for each look-up
$| = 1;
for my $name (qw(cmd3 cmd17 nothing cmd40)) {
    system($^X, $0, $name) == 0 or die "failed for $name\n";
}
