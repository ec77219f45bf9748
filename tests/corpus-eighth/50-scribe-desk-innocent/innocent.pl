#!/usr/bin/perl
# Day book of a public scribe. The archive (a script of its own) takes the book away when it likes;
# the scribe then begins a new one.
use strict;
use warnings;
use IO::Handle;

my $book = 'desk.log';
my ($fh, $held);
my $begun = 0;

sub begin_book {
    open $fh, '>>', $book or die "$book: $!";
    $fh->autoflush(1);
    my @st = stat $fh;
    $held = "$st[0]:$st[1]";
    $begun++;
    return;
}

sub still_ours {
    my @st = stat $book;
    return @st && "$st[0]:$st[1]" eq $held;
}

sub note {
    my ($text) = @_;
    if (!still_ours()) {
        close $fh or die "$book: $!";
        begin_book();
    }
    print {$fh} "$text\n" or die "$book: $!";
    return;
}

begin_book();
my (%pages, $taken);
open my $in, '<', 'work.txt' or die "work.txt: $!";
while (my $line = <$in>) {
    my ($what, $client, $pages) = split ' ', $line;
    $pages{$what} += $pages;
    note("$what for $client, $pages pages");
    if ($. % 25 == 0) {
        $taken++;
        system('sh', 'file-away.sh', $taken) == 0 or die "archive: $?\n";
    }
}
close $in;
close $fh or die "$book: $!";

print "$_: $pages{$_} pages\n" for sort keys %pages;
print "$begun books begun, $taken in the archive\n";
