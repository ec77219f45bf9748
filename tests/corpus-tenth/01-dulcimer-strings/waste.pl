#!/usr/bin/perl
# How many strings of which gauge the workshop must order.
use strict;
use warnings;

sub read_card {
    my ($name) = @_;
    my $path = "cards/$name.card";
    return undef unless -f $path;
    open(my $fh, '<', $path) or die "$path: $!\n";
    my %card;
    while (my $line = <$fh>) {
        chomp $line;
        my ($key, $value) = split / /, $line, 2;
        $card{$key} = $value;
    }
    close($fh);
    return \%card;
}

open(my $list, '<', 'workshop.list') or die "workshop.list: $!\n";
my @names = <$list>;
close($list);
chomp @names;

my (%strings, @without);
for my $name (@names) {
    my $card = read_card($name);
    if (!$card) {
        push @without, $name;
        next;
    }
    $strings{ $card->{gauge} } += $card->{courses} * $card->{per_course};
}

printf "%s mm: %d strings\n", $_, $strings{$_} for sort keys %strings;
print "no card: @without\n";
