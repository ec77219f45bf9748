#!/usr/bin/perl
# Writes a compilation database.
use strict;
use warnings;
use Cwd qw(getcwd);

my $cwd = getcwd();

sub absolute {
    my ($file) = @_;
    return $file if $file =~ m{^/};
    return "$cwd/$file";
}

my @entries;
open my $in, '<', 'files.txt' or die "files.txt: $!";
while (my $file = <$in>) {
    chomp $file;
    (my $obj = $file) =~ s{\.c$}{.o};
    push @entries, sprintf '{"file": "%s", "output": "%s", "command": "cc -c"}', absolute($file), $obj;
}
close $in;
open my $out, '>', 'compile_commands.json' or die "compile_commands.json: $!";
print $out "[\n", join(",\n", @entries), "\n]\n";
close $out or die "compile_commands.json: $!";
printf "%d entries, %d absolute\n", scalar @entries, scalar grep { m{"file": "/} } @entries;
