#!/usr/bin/perl
# Typesets chapters in workers; each loads the table of hyphenation patterns when it starts.
use strict;
use warnings;

sub load_table {
    my ($source, $cache) = @_;
    my %table;
    my $made = (stat $cache)[9] // -1;
    if ($made == (stat $source)[9]) {
        open(my $in, '<', $cache) or die "$cache: $!";
        while (<$in>) { chomp; my ($k, $v) = split /\t/; $table{$k} = $v }
        return \%table;
    }
    open(my $in, '<', $source) or die "$source: $!";
    while (<$in>) { chomp; (my $k = $_) =~ s/\d//; $table{$k} = $_ }
    open(my $out, '>', "$cache.$$") or die "$cache: $!";
    print $out "$_\t$table{$_}\n" for sort keys %table;
    close $out or die "$cache: $!";
    rename "$cache.$$", $cache or die "$cache: $!";
    return \%table;
}

my $ok = 0;
for my $chapter (1 .. 6) {
    my $pid = fork // die $!;
    if (!$pid) {
        my $table = load_table('patterns.txt', 'hyphen.cache');
        exit(keys %$table > 20 ? 0 : 1);
    }
    waitpid $pid, 0;
    $ok++ if $? == 0;
}
print "$ok chapters set\n";
