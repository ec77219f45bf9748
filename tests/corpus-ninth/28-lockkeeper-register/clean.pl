use strict;
use warnings;
use IO::Handle;

# Enters the passages of the day, lock by lock, into the register of tolls.

my $register = 'register.dat';

sub load {
    my %boats;
    open my $in, '<', $register or die "$register: $!";
    while (my $line = <$in>) {
        chomp $line;
        my ($kind, $name, $paid, $times) = split /;/, $line;
        $boats{$name} = { kind => $kind, paid => $paid, times => $times };
    }
    close $in;
    return \%boats;
}

sub save {
    my ($boats) = @_;
    open my $out, '>', "$register.new" or die "$register.new: $!";
    for my $name (sort keys %$boats) {
        my $b = $boats->{$name};
        print $out join(';', $b->{kind}, $name, $b->{paid}, $b->{times}), "\n" or die "$register: $!";
    }
    $out->flush or die "$register.new: $!";
    $out->sync or die "$register.new: $!";
    close $out or die "$register: $!";
    rename "$register.new", $register or die "$register: $!";
    open my $dir, '<', '.' or die ".: $!";
    $dir->sync or die ".: $!";
    close $dir;
}

my $boats = load();
my @lockage;
my $saved = 0;

sub finish {
    return unless @lockage;
    for my $passage (@lockage) {
        my ($kind, $name, $toll) = @$passage;
        my $b = $boats->{$name} ||= { kind => $kind, paid => 0, times => 0 };
        $b->{paid} += $toll;
        $b->{times}++;
    }
    save($boats);
    $saved++;
    print "lockage $saved: ", join(', ', map { $_->[1] } @lockage), "\n";
    @lockage = ();
}

open my $in, '<', 'passages.txt' or die "passages.txt: $!";
while (my $line = <$in>) {
    chomp $line;
    if ($line eq '.') { finish(); next }
    push @lockage, [ split ' ', $line ];
}
close $in;
finish();
my $sum = 0;
$sum += $_->{paid} for values %$boats;
print scalar(keys %$boats), " boats, $sum paid in all\n";
