#!/usr/bin/perl
# Finds documents that are filed more than once and says how many lines that wastes.
use strict;
use warnings;
use Digest::MD5;

my (%groups, %lines);
for my $path (sort glob 'docs/*.txt') {
    open(my $fh, '<:raw', $path) or die "$path: $!";
    my $text = do { local $/; <$fh> };
    my $digest = Digest::MD5->new->add($text)->hexdigest;
    my $n = $text =~ tr/\n//;
    close $fh;
    push @{ $groups{$digest} }, $path;
    $lines{$digest} = $n;
}
my ($copies, $wasted) = (0, 0);
for my $d (keys %groups) {
    my $more = @{ $groups{$d} } - 1;
    $copies += $more;
    $wasted += $more * $lines{$d};
}
print scalar(keys %groups), " different, $copies copies, $wasted lines too many\n";
