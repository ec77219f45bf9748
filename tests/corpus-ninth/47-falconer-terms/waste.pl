use strict;
use warnings;
use Time::HiRes ();

my ($source, $cache) = ('terms.txt', 'terms.index');

sub build {
    my ($stamp) = @_;
    my %index;
    open(my $in, '<', $source) or die "$source: $!";
    while (<$in>) {
        chomp;
        my ($term, $meaning) = split /: /, $_, 2;
        $index{$term} = length($meaning) . ' ' . ($meaning =~ tr/ //);
    }
    close $in;
    open(my $out, '>', $cache) or die "$cache: $!";
    printf $out "stamp %d\n", $stamp;
    print $out "$_ $index{$_}\n" for sort keys %index;
    close $out or die "$cache: $!";
    return \%index;
}

sub load {
    my $stamp = (Time::HiRes::stat($source))[9] or die "$source: $!";
    if (open(my $in, '<', $cache)) {
        my (undef, $of) = split ' ', <$in>;
        if ($of == $stamp) {
            my %index;
            while (<$in>) {
                my ($term, $length, $blanks) = split ' ';
                $index{$term} = "$length $blanks";
            }
            return \%index;
        }
    }
    return build($stamp);
}

sub explain {
    my ($index, $term) = @_;
    return "$term is not a falconer's word\n" unless $index->{$term};
    my ($length, $blanks) = split ' ', $index->{$term};
    return sprintf "%s: %d letters in %d words\n", $term, $length - $blanks, $blanks + 1;
}

if (@ARGV) {
    print explain(load(), $ARGV[0]);
} else {
    open(my $asked, '<', 'asked.txt') or die "asked.txt: $!";
    chomp(my @terms = <$asked>);
    close $asked;
    for my $term (@terms) {
        system($^X, $0, $term) == 0 or die "$term: $?";
    }
}
