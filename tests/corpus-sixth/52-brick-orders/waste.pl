#!/usr/bin/perl
# Writes the work list of the brick yard: full names of the batch files for the loaders.
use strict;
use warnings;
use File::Spec;

my %loader = (0 => 'Anna', 1 => 'Bert', 2 => 'Cor');

sub read_batches {
    my ($list) = @_;
    open my $in, '<', $list or die "$list: $!\n";
    my @batches;
    while (<$in>) {
        my ($file, $bricks) = split;
        push @batches, { file => $file, bricks => $bricks };
    }
    close $in;
    return @batches;
}

sub work_line {
    my ($batch, $who) = @_;
    my $full = File::Spec->rel2abs($batch->{file});
    return "$who\t$full\t$batch->{bricks}\n";
}

my (%load, %count);
my @batches = read_batches('batches.txt');
my $text = '';
for my $batch (@batches) {
    # the loader with the least to do gets the batch
    my ($id) = sort { ($load{$a} // 0) <=> ($load{$b} // 0) || $a <=> $b } keys %loader;
    $load{$id} += $batch->{bricks};
    $count{$id}++;
    $text .= work_line($batch, $loader{$id});
}

open my $out, '>', 'worklist.tsv' or die "worklist.tsv: $!\n";
print {$out} $text;
close $out or die "worklist.tsv: $!\n";

printf "%d batches\n", scalar @batches;
printf "%s: %d batches, %d bricks\n", $loader{$_}, $count{$_}, $load{$_} for sort keys %load;
