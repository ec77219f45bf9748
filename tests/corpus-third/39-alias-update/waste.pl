#!/usr/bin/perl
# Edits the alias table.
use strict;
use warnings;
use IO::Handle;

my $file = 'etc/aliases';

sub load {
    open my $in, '<', $file or die "$file: $!";
    return map { chomp; split /:\s*/, $_, 2 } <$in>;
}

sub store {
    my (%a) = @_;
    open my $out, '>', "$file.new" or die "$file.new: $!";
    print $out "$_: $a{$_}\n" for sort keys %a;
    $out->flush && $out->sync or die "$file.new: $!";
    close $out or die "$file.new: $!";
    unlink $file or die "$file: $!";
    rename "$file.new", $file or die "$file: $!";
    open my $d, '<', 'etc' or die "etc: $!";
    $d->sync;
    close $d;
}

for my $edit (['webmaster', 'anna'], ['abuse', 'ben'], ['root', 'cora']) {
    my %a = load();
    $a{ $edit->[0] } = $edit->[1];
    store(%a);
}
my %a = load();
print join(' ', map { "$_=$a{$_}" } sort keys %a), "\n";
