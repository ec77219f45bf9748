#!/usr/bin/perl
# Adds up the glass and the lead of a stained window from the cards of its panes.
use strict;
use warnings;

sub pane_names {
    my ($folder) = @_;
    opendir(my $dh, $folder) or die "$folder: $!\n";
    my @names = sort grep { /\.pane$/ } readdir($dh);
    closedir($dh);
    return @names;
}

sub load_pane {
    my ($path) = @_;
    open(my $fh, '<', $path) or die "$path: $!\n";
    my %pane;
    while (my $line = <$fh>) {
        chomp $line;
        my ($key, $value) = split / /, $line;
        $pane{$key} = $value;
    }
    close($fh);
    return \%pane;
}

my (%area, $lead, $panes);
my @largest = ('', 0);
for my $name (pane_names('panes')) {
    my $path = "panes/$name";
    next unless -e $path;
    my $pane = load_pane($path);
    my $size = $pane->{width} * $pane->{height};
    $area{ $pane->{glass} } += $size;
    $lead += 2 * ($pane->{width} + $pane->{height}) * ($pane->{lead} + 1);
    @largest = ($name, $size) if $size > $largest[1];
    $panes++;
}

open(my $out, '>', 'glass.txt') or die "glass.txt: $!\n";
printf $out "%-8s %5d\n", $_, $area{$_} for sort keys %area;
close($out) or die "glass.txt: $!\n";

print "$panes panes, $lead cm of lead\n";
print "largest: $largest[0] ($largest[1])\n";
