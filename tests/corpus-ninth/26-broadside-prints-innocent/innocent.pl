use strict;
use warnings;
use File::Path qw(make_path);

# Makes readable copies of the old broadsides.

my $LONG_S = "\xc5\xbf";
my %changed = (s => 0, ends => 0, tabs => 0);

sub clear {
    my ($line) = @_;
    $changed{s}    += $line =~ s/$LONG_S/s/g;
    $changed{ends} += $line =~ s/\r\n\z/\n/;
    $changed{tabs} += $line =~ s/\t/    /g;
    return $line;
}

sub reprint {
    my ($from, $to) = @_;
    open my $in, '<:raw', $from or die "$from: $!";
    open my $out, '>:raw', $to or die "$to: $!";
    my $lines = 0;
    while (my $line = <$in>) {
        print $out clear($line) or die "$to: $!";
        $lines++;
    }
    close $in;
    close $out or die "$to: $!";
    return $lines;
}

make_path('clear');
opendir my $dir, 'broadsides' or die "broadsides: $!";
my @names = sort grep { /\.txt\z/ } readdir $dir;
closedir $dir;

my $total = 0;
$total += reprint("broadsides/$_", "clear/$_") for @names;
printf "%d broadsides, %d lines\n", scalar @names, $total;
printf "%d long s, %d line ends, %d tabs\n", @changed{qw(s ends tabs)};
