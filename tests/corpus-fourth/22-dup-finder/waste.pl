#!/usr/bin/perl
# Finds documents that are filed more than once and says how many lines that wastes.
use strict;
use warnings;
use Digest::MD5;

my (%groups, %lines);
for my $path (sort glob 'docs/*.txt') {
    open(my $fh, '<:raw', $path) or die "$path: $!";
    my $digest = Digest::MD5->new->addfile($fh)->hexdigest;
    seek($fh, 0, 0);
    my $n = 0;
    $n++ while <$fh>;
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
