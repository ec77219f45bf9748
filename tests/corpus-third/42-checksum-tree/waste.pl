#!/usr/bin/perl
# Checksums all files of a manifest.
use strict;
use warnings;
use Cwd;
use Digest::MD5;
use File::Basename;

my $home = getcwd;
my $all = Digest::MD5->new;
my $n = 0;

sub sum_file {
    my ($rel) = @_;
    chdir dirname("tree/$rel") or die "$rel: $!";
    open my $fh, '<:raw', basename($rel) or die "$rel: $!";
    my $sum = Digest::MD5->new->addfile($fh)->hexdigest;
    close $fh;
    chdir $home or die "$home: $!";
    return $sum;
}

open my $m, '<', 'MANIFEST' or die "MANIFEST: $!";
chomp(my @files = <$m>);
close $m;
for my $f (@files) {
    $all->add(sum_file($f), "  $f\n");
    $n++;
}
print "$n files ", $all->hexdigest, "\n";
