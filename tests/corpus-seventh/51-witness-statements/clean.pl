use strict;
use warnings;
use Fcntl qw(O_WRONLY O_CREAT O_EXCL);

sub keep_statement {
    my ($id, $officer, $text) = @_;
    my $path = "statements/$id.txt";
    sysopen(my $out, $path, O_WRONLY | O_CREAT | O_EXCL, 0600)
        or die "$path: $!";
    print {$out} "witness $id, taken by $officer\n";
    print {$out} "$text\n";
    close $out or die "$path: $!";
    return length $text;
}

open(my $in, '<', 'interviews.txt') or die "interviews.txt: $!";
my %taken;
my $letters = 0;
my $people  = 0;
while (my $line = <$in>) {
    chomp $line;
    my ($id, $officer, $text) = split /\|/, $line;
    $letters += keep_statement($id, $officer, $text);
    $people  += $1 if $text =~ /saw (\d+)/;
    $taken{$officer}++;
}
close $in;

my $count = 0;
$count += $_ for values %taken;
printf "%d statements, %d letters, %d people seen\n", $count, $letters, $people;
print join(', ', map { "$_: $taken{$_}" } sort keys %taken), "\n";
