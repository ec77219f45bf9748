#!/usr/bin/perl
# Sorts ringing records into one sheet per bird, by station and species.
use strict;
use warnings;
use Errno qw(EEXIST);

my %made;

sub want_dir {
    my ($dir) = @_;
    return $dir if $made{$dir}++;
    mkdir $dir, 0755 or $!{EEXIST} or die "$dir: $!";
    return $dir;
}

sub sheet_for {
    my ($station, $species, $ring) = @_;
    want_dir('rings');
    want_dir("rings/$station");
    want_dir("rings/$station/$species");
    return "rings/$station/$species/$ring.txt";
}

open my $in, '<', 'ringing.txt' or die "ringing.txt: $!";
my @records = map { [split] } <$in>;
close $in;

my (%per_station, %grams);
for my $record (@records) {
    my ($ring, $station, $species, $grams) = @$record;
    my $sheet = sheet_for($station, $species, $ring);
    open my $out, '>', $sheet or die "$sheet: $!";
    print $out "ring: $ring\nspecies: $species\nweight: $grams g\n",
        $grams > 40 ? "remark: heavy\n" : '';
    close $out or die "$sheet: $!";
    $per_station{$station}++;
    push @{ $grams{$species} }, $grams;
}

print "$_: $per_station{$_} birds\n" for sort keys %per_station;
for my $species (sort keys %grams) {
    my $sum = 0;
    $sum += $_ for @{ $grams{$species} };
    printf "%s: mean %.1f g\n", $species, $sum / @{ $grams{$species} };
}
