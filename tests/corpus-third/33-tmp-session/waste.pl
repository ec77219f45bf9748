#!/usr/bin/perl
# Session files for a CGI application.
use strict;
use warnings;
use Fcntl;

sub session_file {
    my ($id) = @_;
    return "/tmp/sess-blind-$id";
}

sub create {
    my ($id, %data) = @_;
    my $file = session_file($id);
    die "session $id exists\n" if -e $file || -l $file;
    open my $fh, '>', $file or die "$file: $!";
    print $fh "$_=$data{$_}\n" for sort keys %data;
    close $fh or die "$file: $!";
    return $file;
}

my @ids = map { sprintf '%08x%04x', $$ * 7919 + $_, $_ } 1 .. 3;
my $bytes = 0;
for my $id (@ids) {
    my $f = create($id, user => 'guest', cart => 'empty');
    $bytes += -s $f;
}
unlink session_file($_) for @ids;
print scalar(@ids), " sessions, $bytes bytes\n";
