#!/usr/bin/env perl
# A Fathom driver for Perl: sysopen, sysread and <$fh>. docs/writing-a-driver.md
# explains it duty by duty; drivers/PROTOCOL.md says what it must satisfy.
use v5.26;
use warnings;
use Compress::Raw::Zlib ();
use Errno ();
use Fcntl qw(O_RDONLY);
use Getopt::Long;
use JSON::PP ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
$| = 1;

# --- Methods: for each operation, the code that performs it on one path.
my @operations = qw(null open-close read-whole);
my @order = qw(sysopen sysread readline null);
our %held;    # what null delivers, by path
my %methods = (
    sysopen  => { does => 'sysopen, close', 'open-close' => \&open_close },
    sysread  => { does => 'sysopen, sysread of a block until 0, close', 'read-whole' => \&read_blocks },
    readline => { does => 'open, <$fh> with $/ undefined, close', 'read-whole' => sub { deliver(slurp($_[0])) } },
    null     => { does => 'everything but the I/O', 'null' => sub { }, 'open-close' => sub { },
                  'read-whole' => sub { deliver($held{$_[0]}) } },
);
my ($block, $buffer, $fresh) = (65536);

sub open_close {
    sysopen(my $file, $_[0], O_RDONLY) or failed('sysopen', $_[0]);
    close($file) or failed('close', $_[0]);
}

sub read_blocks {
    sysopen(my $file, $_[0], O_RDONLY) or failed('sysopen', $_[0]);
    undef $buffer if $fresh;
    while (sysread($file, $buffer, $block) // failed('sysread', $_[0])) { deliver($buffer) }
    close($file) or failed('close', $_[0]);
}

sub slurp {
    open(my $file, '<:raw', $_[0]) or failed('open', $_[0]);
    local $/;
    my $data = <$file> // failed('readline', $_[0]);
    close($file) or failed('close', $_[0]);
    return $data;
}

sub failed {
    my ($op, $path) = @_;
    my ($errno) = sort grep { $!{$_} } keys %!;
    die sprintf("error op=%s errno=%s path=%s\n", $op, $errno // 'EIO', $path);
}

# --- The data: counted, digested (a byte per page of the operation), and for verify summed.
our ($position, $bytes, $digest, $crc) = (0, 0, 0);

sub deliver {
    for (my $i = -$position % 4096; $i < length $_[0]; $i += 4096) { $digest += ord substr($_[0], $i, 1) }
    $position += length $_[0];
    $bytes += length $_[0];
    $crc = Compress::Raw::Zlib::crc32($_[0], $crc) if defined $crc;
}

# --- Arguments.
sub refuse { my ($code, $reason) = @_; say STDERR $reason; exit $code }

my $command = shift(@ARGV) // '';
if ($command eq 'describe') {
    my @listed = map { my $m = $methods{$_};
        +{ name => $_, does => $m->{does}, operations => [grep { $m->{$_} } @operations] } } @order;
    say JSON::PP->new->canonical->encode({ protocol => 1, driver => 'perl', language => 'Perl',
        runtime => sprintf('perl %vd', $^V), methods => \@listed });
    exit 0;
}
$command eq 'run' or refuse(2, 'usage: driver.pl describe | driver.pl run --operation NAME --method NAME --path FILE');
my (%given, @names, @paths);
GetOptions(\%given, 'operation=s', 'method=s' => \@names, 'path=s' => \@paths, 'size=i', 'block=i' => \$block,
    'access=s', 'alignment=s', 'buffer=s', 'seed=s', 'marks', 'latencies=s') && !@ARGV or refuse(2, 'wrong arguments');
my $operation = $given{operation} // refuse(2, '--operation is missing');
@names && (@paths || $operation eq 'null') && $block > 0 or refuse(2, '--method, --path or --block is missing');
grep { $_ eq $operation } @operations or refuse(2, "unknown operation $operation");
my @codes = map { $methods{$_}{$operation} // refuse(2, "no method $_ that performs $operation") } @names;
my $latencies;
!defined $given{latencies} or open($latencies, '>>:raw', $given{latencies}) or refuse(2, "$given{latencies}: $!");
eval { clock_gettime(CLOCK_MONOTONIC) } or refuse(77, "this perl has no monotonic clock: $@");
@paths = ('') if !@paths;
($buffer, $fresh) = ("\1" x $block, ($given{buffer} // '') eq 'fresh');

# --- Batches.
my @performed = (0) x @names;

sub take_up { $names[$_[0]] eq 'null' && $operation eq 'read-whole' and $held{$_} //= slurp($_) for @paths }
sub mark { $given{marks} and sysopen(my $none, "/fathom-mark/$_[0]", O_RDONLY) }

sub batch {
    my ($slot, $count, $preroll, $each) = @_;
    my $code = $codes[$slot];
    take_up($slot);
    for (1 .. $preroll) { $position = 0; $code->($paths[$performed[$slot]++ % @paths]) }
    ($bytes, $digest) = (0, 0);
    my @ends;
    mark('begin');
    my $begin = clock_gettime(CLOCK_MONOTONIC);
    for (1 .. $count) {
        $position = 0;
        $code->($paths[$performed[$slot]++ % @paths]);
        push @ends, clock_gettime(CLOCK_MONOTONIC) if $each;
    }
    my $end = clock_gettime(CLOCK_MONOTONIC);
    mark('end');
    my $done = sprintf("done ops=%d ns=%.0f bytes=%d digest=%d\n", $count, 1e9 * ($end - $begin), $bytes, $digest);
    for (@ends) { print {$latencies} pack('Q<', 1e9 * ($_ - $begin)); $begin = $_ }
    $latencies->flush if $each;
    return $done;
}

sub verify {
    my ($slot) = @_;
    take_up($slot);
    local ($position, $bytes, $crc) = (0, 0, 0);
    $codes[$slot]->($paths[0]);
    return sprintf("verified bytes=%d crc32=%08x\n", $bytes, $crc);
}

# --- Lines.
sub number { $_[0] =~ /^\d{1,15}$/ ? $_[0] : die "nonsense\n" }
sub slot { number($_[0]) < @names ? $_[0] : die "nonsense\n" }

sub answer {
    my ($line) = @_;
    if ($line =~ /^batch (\d+)((?: (?:method|preroll)=\d+)*)$/) {
        my ($count, %option) = ($1, map { split /=/ } split ' ', $2);
        print batch(slot($option{method} // 0), number($count), number($option{preroll} // 0), $latencies);
    } elsif ($line =~ /^blocks((?: \d+:\d+:\d+)+)$/) {
        my @schedule = map { my ($k, $n, $p) = split /:/; [slot($k), number($n), number($p)] } split ' ', $1;
        my @done;
        my $through = eval { push @done, batch(@$_) for @schedule; 1 };
        print @done, $through ? "end\n" : $@;
    } elsif ($line =~ /^verify(?: method=(\d+))?$/) {
        my $slot = $1 // 0;    # a copy: $1 is another after the next match
        print verify(slot($slot));
    } elsif ($line eq 'release') {
        say 'released';    # nothing is held open between operations
    } else {
        die "nonsense\n";
    }
}

say 'ready';
while (defined(my $line = <STDIN>)) {
    chomp $line;
    last if $line eq 'quit';
    next if eval { answer($line); 1 };
    print $@ eq "nonsense\n" ? "error op=protocol errno=EINVAL path=$line\n" : $@;
}
