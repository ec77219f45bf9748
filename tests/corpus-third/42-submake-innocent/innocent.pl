#!/usr/bin/perl
# Runs the build script of each subproject in its own directory.
use strict;
use warnings;

my @projects = qw(lib cli gui doc);

sub build {
    my ($dir) = @_;
    my $pid = fork();
    die "fork: $!" unless defined $pid;
    if ($pid == 0) {
        chdir $dir or die "$dir: $!";
        exec './make.sh' or die "make.sh: $!";
    }
    waitpid $pid, 0;
    return $? == 0;
}

my $sum = 0;
for my $p (@projects) {
    build("proj/$p") or die "$p failed\n";
    open my $fh, '<', "proj/$p/built" or die "$p: $!";
    my $n = <$fh>;
    close $fh;
    $sum += $n;
}
print scalar(@projects), " projects, sum $sum\n";
