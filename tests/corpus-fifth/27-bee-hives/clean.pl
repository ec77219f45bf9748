#!/usr/bin/perl
# Enters today's inspection into the card of each bee hive.
use strict;
use warnings;
use IO::Handle;

my @inspection = (
    { hive => 1, frames => 8,  honey => 4 },
    { hive => 2, frames => 9,  honey => 5 },
    { hive => 4, frames => 10, honey => 7 },
);

sub read_card {
    my ($file) = @_;
    open(my $in, '<', $file) or die "$file: $!\n";
    my @card = map { chomp; [split / /, $_, 2] } <$in>;
    close $in;
    return @card;
}

sub write_card {
    my ($file, @card) = @_;
    my $tmp = "$file.$$";
    open(my $out, '>', $tmp) or die "$tmp: $!\n";
    print {$out} "@$_\n" or die "$tmp: $!\n" for @card;
    $out->flush && $out->sync or die "$tmp: $!\n";
    close $out or die "$tmp: $!\n";
    rename $tmp, $file or die "$file: $!\n";
    open(my $dir, '<', 'hives') or die "hives: $!\n";
    $dir->sync or die "hives: $!\n";
    close $dir;
}

my $honey = 0;
for my $found (@inspection) {
    my $file = "hives/hive$found->{hive}.txt";
    my @card = read_card($file);
    for my $line (@card) {
        my ($field) = @$line;
        if ($field eq 'honey') {
            $honey += $found->{honey};
            $line->[1] += $found->{honey};
        }
        elsif ($field eq 'frames') {
            $line->[1] = $found->{frames};
        }
    }
    push @card, [inspected => '2024-06-01'];
    write_card($file, @card);
    printf "hive %d: %s\n", $found->{hive}, join ', ', map { "@$_" } @card[2, 3];
}
print "$honey kg of honey entered\n";
