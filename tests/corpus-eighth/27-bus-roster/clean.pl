#!/usr/bin/perl
# Moves every depot's duty roster on by a day and takes the sick off duty.
use strict;
use warnings;
use IO::Handle;

sub load {
    my ($path) = @_;
    open my $fh, '<', $path or die "$path: $!";
    my @lines = map { [split] } <$fh>;
    close $fh;
    return @lines;
}

sub save {
    my ($path, $text) = @_;
    open my $fh, '>', "$path.new" or die "$path.new: $!";
    print {$fh} $text or die "$path.new: $!";
    $fh->flush or die "$path.new: $!";
    $fh->sync or die "$path.new: $!";
    close $fh or die "$path.new: $!";
    rename "$path.new", $path or die "$path: $!";
    return;
}

my %sick = map { ("$_->[0] $_->[1]" => 1) } load('sick.txt');
my %shift = (early => 'late', late => 'free', free => 'early');
my ($duty, $off) = (0, 0);

for my $depot (1 .. 6) {
    my $path = "rosters/depot$depot.txt";
    my $text = '';
    for my $entry (load($path)) {
        my ($driver, $shift, $day) = @$entry;
        my $next = $shift{$shift};
        if ($sick{"$depot $driver"}) {
            $next = 'sick';
            $off++;
        }
        $duty++ if $next eq 'early' || $next eq 'late';
        $text .= join(' ', $driver, $next, ($day + 1) % 7) . "\n";
    }
    save($path, $text);
}
open my $dir, '<', 'rosters' or die "rosters: $!";
$dir->sync or die "rosters: $!";
close $dir;
print "$duty on duty tomorrow, $off sick\n";
