#!/usr/bin/perl
# Sums up the playing time of a music collection.
use strict;
use warnings;
use Cwd qw(getcwd);

sub tags {
    my ($file) = @_;
    my %tag;
    open(my $fh, '<', $file) or die "$file: $!";
    while (my $line = <$fh>) {
        chomp $line;
        my ($key, $value) = split /=/, $line, 2;
        $tag{$key} = $value;
    }
    close($fh);
    return \%tag;
}

my $home = getcwd();
my ($songs, $seconds, $longest) = (0, 0, undef);
for my $number (0 .. 99) {
    chdir("songs/$number") or die "songs/$number: $!";
    my $tag = tags('tag.txt');
    chdir($home) or die "$home: $!";
    $songs++;
    $seconds += $tag->{length};
    $longest = $tag if !$longest || $tag->{length} > $longest->{length};
}
print "$songs songs, $seconds seconds, longest $longest->{title}\n";
