use strict;
use warnings;
use Digest::MD5;

# Brings the list of digests of the almanac's pages up to date.

my $list = 'digests.tsv';

sub load_list {
    my %known;
    open my $in, '<', $list or return {};
    while (my $line = <$in>) {
        chomp $line;
        my ($path, $size, $time, $digest) = split /\t/, $line;
        $known{$path} = { size => $size, time => $time, digest => $digest };
    }
    close $in;
    return \%known;
}

sub digest_of {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "$path: $!";
    my $digest = Digest::MD5->new->addfile($in)->hexdigest;
    close $in;
    return $digest;
}

my $known = load_list();
my (%fresh, $reread, $kept);
$reread = $kept = 0;
for my $day (1 .. 48) {
    my $path = "pages/day$day.txt";
    my @facts = stat $path or next;
    my ($size, $time) = @facts[7, 9];
    my $old = $known->{$path};
    if ($old && $old->{size} == $size && $old->{time} == $time) {
        $fresh{$path} = $old;
        $kept++;
        next;
    }
    $fresh{$path} = { size => $size, time => $time, digest => digest_of($path) };
    $reread++;
}

open my $out, '>', "$list.new" or die "$list.new: $!";
for my $path (sort keys %fresh) {
    print $out join("\t", $path, @{ $fresh{$path} }{qw(size time digest)}), "\n";
}
close $out or die "$list.new: $!";
print "$kept pages unchanged, $reread read again\n";
