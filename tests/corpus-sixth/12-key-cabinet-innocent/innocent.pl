#!/usr/bin/perl
# Audits a folder of private keys: nobody else may read them, and each exists once.
use strict;
use warnings;
use Fcntl ':mode';

my $dir = 'keys';

opendir my $dh, $dir or die "$dir: $!";
my @names = sort grep { !/^\./ } readdir $dh;
closedir $dh;

my %finding;
my $checked = 0;
my $me = $>;

for my $name (@names) {
    my @st = lstat "$dir/$name" or die "$dir/$name: $!";
    my ($mode, $links, $uid) = @st[2, 3, 4];
    $checked++;
    if (S_ISLNK($mode)) {
        push @{ $finding{'symbolic link'} }, $name;
        next;
    }
    push @{ $finding{'writable by others'} }, $name if $mode & (S_IWGRP | S_IWOTH);
    push @{ $finding{'readable by others'} }, $name if $mode & (S_IRGRP | S_IROTH);
    push @{ $finding{'more than one name'} }, $name if $links > 1;
    push @{ $finding{'of another owner'} }, $name if $uid != $me;
}

print "$checked entries\n";
for my $what (sort keys %finding) {
    my @who = @{ $finding{$what} };
    printf "%s: %d (%s%s)\n", $what, scalar @who, $who[0], @who > 1 ? ', ...' : '';
}
