use strict;
use warnings;

# Frames of the night camera go to a main image file and to a spare on
# another volume.
my $FRAMES = 64;
my $WIDTH  = 256;

sub frame {
    my ($n) = @_;
    my $body = join '', map { chr((($n * 7 + $_ * 3) % 64) + 32) } 1 .. $WIDTH - 8;
    return sprintf('F%06d ', $n) . $body;
}

open(my $main, '>:raw', 'night.img') or die "night.img: $!";
open(my $spare, '+<:raw', 'spare.img') or die "spare.img: $!";

my ($stored, $bright) = (0, 0);
for my $n (1 .. $FRAMES) {
    my $data = frame($n);
    my $put  = syswrite($main, $data);
    defined $put && $put == length $data or die "night.img: $!";
    $stored += $put;
    if ($spare) {
        my $copy = syswrite($spare, $data);
        if (!defined $copy || $copy != length $data) {
            close $spare;
            undef $spare;
        }
    }
    $bright++ if $data =~ /~|_/;
}
close $spare if $spare;
close $main or die "night.img: $!";

printf "%d frames, %d bytes in the main image\n", $FRAMES, $stored;
printf "%d frames with bright points\n", $bright;
