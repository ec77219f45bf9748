#!/usr/bin/perl
# Prints each ledger page through a printing routine that only knows descriptor 1.
use strict;
use warnings;
use POSIX ();
use Fcntl qw(O_WRONLY O_CREAT O_TRUNC);

my %balance;

sub raw_print {
    my ($text) = @_;
    defined POSIX::write(1, $text, length $text) or die "write: $!\n";
}

sub print_page {
    my ($nr, @lines) = @_;
    my $text = "PAGE $nr\n" . join('', map { "  $_\n" } @lines);
    raw_print($text);
}

# Runs a piece of code with descriptor 1 going to a file.
sub with_output {
    my ($path, $code) = @_;
    my $saved = POSIX::dup(1) // die "dup: $!\n";
    my $fd = POSIX::open($path, O_WRONLY | O_CREAT | O_TRUNC, 0644) // die "$path: $!\n";
    POSIX::dup2($fd, 1);
    POSIX::close($fd);
    $code->();
    POSIX::dup2($saved, 1);
    POSIX::close($saved);
}

sub page_number {
    my ($path) = @_;
    return $path =~ /p(\d+)\.txt$/ ? $1 : 0;
}

my @pages = sort { page_number($a) <=> page_number($b) } glob 'pages/*.txt';
mkdir 'printed';
for my $page (@pages) {
    open my $in, '<', $page or die "$page: $!\n";
    chomp(my @lines = <$in>);
    close $in;
    for (@lines) {
        my ($account, $cents) = split;
        $balance{$account} += $cents;
    }
    my $nr = page_number($page);
    with_output("printed/$nr.txt", sub { print_page($nr, @lines) });
}
printf "%d pages printed\n", scalar @pages;
printf "%s %d\n", $_, $balance{$_} for sort keys %balance;
