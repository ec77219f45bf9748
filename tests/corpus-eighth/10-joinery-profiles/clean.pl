#!/usr/bin/perl
# Computes the wood needed for a cutting list of profiles.
use strict;
use warnings;

my @dirs = qw(bench custom oak standard);

my %profile;
for my $dir (@dirs) {
    opendir my $dh, $dir or die "$dir: $!";
    for my $file (readdir $dh) {
        $profile{$1} //= "$dir/$file" if $file =~ /^(.*)\.dxf$/;
    }
    closedir $dh;
}

sub find_profile {
    my ($name) = @_;
    return $profile{$name};
}

sub section {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    my (undef, $width, $height) = split ' ', <$fh>;
    close $fh;
    return $width * $height;
}

open my $list, '<', 'cutlist.txt' or die "cutlist.txt: $!";
my (%volume, $pieces);
while (my $line = <$list>) {
    my ($name, $metres) = split ' ', $line;
    my $path = find_profile($name) or die "no profile $name";
    my ($where) = split m{/}, $path;
    $volume{$where} += section($path) * $metres * 1000;
    $pieces++;
}
close $list;

for my $where (sort keys %volume) {
    printf "%-9s %8.2f dm3\n", $where, $volume{$where} / 1e6;
}
print "$pieces pieces\n";
