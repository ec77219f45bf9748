use strict;
use warnings;

my %conf;
open(my $c, '<', 'editor.conf') or die "editor.conf: $!";
while (<$c>) {
    $conf{$1} = $2 if /^(\w+)\s*=\s*(\S+)/;
}
close $c;

my @lines;
my $autosaves = 0;
my $autosave  = $conf{autosave};

sub autosave {
    open(my $out, '>', $autosave) or die "$autosave: $!";
    print $out "# autosave ", scalar(@lines), "\n";
    print $out "$_\n" for @lines;
    close $out;
    $autosaves++;
}

sub apply {
    my ($command, $at, $text) = @_;
    if ($command eq 'add') {
        push @lines, $text;
    } elsif ($command eq 'change') {
        $lines[$at] = $text;
    } elsif ($command eq 'drop') {
        splice @lines, $at, 1;
    }
}

open(my $script, '<', 'keys.txt') or die "keys.txt: $!";
my $n = 0;
while (my $line = <$script>) {
    chomp $line;
    my ($command, $at, $text) = split / /, $line, 3;
    apply($command, $at, $text);
    $n++;
    autosave() if $n % 2 == 0;
}
close $script;

open(my $final, '>', 'sonnet.txt') or die "sonnet.txt: $!";
print $final "$_\n" for @lines;
close $final or die "sonnet.txt: $!";
unlink $autosave unless $autosave =~ m{^/dev/};
printf "%d keystrokes, autosaved %d times, %d lines kept\n", $n, $autosaves, scalar @lines;
