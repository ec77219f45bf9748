#!/usr/bin/perl
# Indexes an mbox: one line per message with offset, length, id and subject.
use strict;
use warnings;
use FindBin qw($Bin);

my $mbox  = "$Bin/inbox.mbox";
my $index = "$Bin/out/inbox.idx";
my $idx;

sub note_message {
    my ($m) = @_;
    printf $idx "%08d %6d %-32s %s\n", $m->{offset}, $m->{length}, $m->{id}, $m->{subject};
}

sub thread_key {
    my ($subject) = @_;
    $subject =~ s/^(?:re|fwd?):\s*//i;
    return lc $subject;
}

mkdir "$Bin/out" unless -d "$Bin/out";
open $idx, '>', $index or die "$index: $!";

open my $in, '<', $mbox or die "$mbox: $!";
my ($current, $in_header, %threads);
my $count  = 0;
my $offset = 0;

sub finish {
    my ($end) = @_;
    return unless $current;
    $current->{length} = $end - $current->{offset};
    note_message($current);
    $threads{ thread_key($current->{subject}) }++;
    $count++;
}

while (my $line = <$in>) {
    if ($line =~ /^From /) {
        finish($offset);
        $current   = { offset => $offset, id => '-', subject => '' };
        $in_header = 1;
    }
    elsif ($in_header) {
        if    ($line =~ /^Message-ID:\s*<([^>]*)>/i) { $current->{id}      = $1 }
        elsif ($line =~ /^Subject:\s*(.*)/i)         { $current->{subject} = $1 }
        elsif ($line =~ /^$/)                        { $in_header          = 0 }
    }
    $offset += length $line;
}
finish($offset);
close $in;
close $idx or die "$index: $!";

my ($longest) = sort { $threads{$b} <=> $threads{$a} || $a cmp $b } keys %threads;
printf "%d messages in %d threads, longest: %s (%d), index %d bytes\n",
    $count, scalar(keys %threads), $longest, $threads{$longest}, -s $index;
