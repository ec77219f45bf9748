use strict;
use warnings;
use Fcntl qw(O_RDONLY SEEK_SET);

# Reads the field book of a survey: station, number, horizontal and
# vertical angle in seconds of arc, name of the peg, sketch of the place.

my $LENGTH = length pack 'nnNNA12A4072', 0, 0, 0, 0, '', '';

sub read_record {
    my ($fh) = @_;
    my $raw = '';
    my $got = sysread $fh, $raw, $LENGTH;
    die "read: $!" unless defined $got;
    return if $got < $LENGTH;
    my %r;
    @r{qw(station number horizontal vertical peg sketch)} = unpack 'nnNNA12A4072', $raw;
    return \%r;
}

sub degrees {
    my ($seconds) = @_;
    return sprintf "%3d-%02d-%02d", $seconds / 3600, $seconds / 60 % 60, $seconds % 60;
}

my %stations;
sysopen my $fh, 'angles.bin', O_RDONLY or die "angles.bin: $!";
my $count = (-s $fh) / $LENGTH;
for my $n (0 .. $count - 1) {
    my $r = read_record($fh) or last;
    push @{ $stations{ $r->{station} } }, $r;
}
close $fh;

open my $out, '>', 'fieldbook.txt' or die "fieldbook.txt: $!";
for my $station (sort { $a <=> $b } keys %stations) {
    print $out "station $station\n";
    for my $r (sort { $a->{horizontal} <=> $b->{horizontal} } @{ $stations{$station} }) {
        printf $out "  %-8s %s %s\n", $r->{peg}, degrees($r->{horizontal}), degrees($r->{vertical});
    }
}
close $out or die "fieldbook.txt: $!";
printf "%d sights from %d stations\n", $count, scalar keys %stations;
