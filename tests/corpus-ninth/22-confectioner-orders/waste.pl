use strict;
use warnings;

# Prints the order sheets of the shops in even columns.

sub width_of {
    my ($path) = @_;
    my $width = 4;
    open my $in, '<', $path or die "$path: $!";
    while (my $line = <$in>) {
        my ($what) = split /;/, $line;
        $width = length $what if length $what > $width;
    }
    close $in;
    return $width;
}

sub items_of {
    my ($path) = @_;
    my @items;
    open my $in, '<', $path or die "$path: $!";
    while (my $line = <$in>) {
        chomp $line;
        push @items, [ split /;/, $line ];
    }
    close $in;
    return @items;
}

my ($boxes, $cents) = (0, 0);
my %sold;
open my $out, '>', 'orders.txt' or die "orders.txt: $!";
for my $shop (1 .. 22) {
    my $path = "sheets/shop$shop.csv";
    my $width = width_of($path);
    my @items = items_of($path);
    print $out "Shop $shop\n";
    for my $item (@items) {
        my ($what, $count, $price) = @$item;
        printf $out "  %-*s %3d x %5.2f\n", $width, $what, $count, $price / 100;
        $boxes += $count;
        $cents += $count * $price;
        $sold{$what} += $count;
    }
}
close $out or die "orders.txt: $!";
printf "%d boxes, %.2f\n", $boxes, $cents / 100;
print join(', ', map { "$_ $sold{$_}" } sort keys %sold), "\n";
