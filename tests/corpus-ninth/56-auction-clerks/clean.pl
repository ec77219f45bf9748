use strict;
use warnings;
use POSIX ();

my @rooms = map { chomp; $_ } do {
    open(my $in, '<', 'rooms.txt') or die "rooms.txt: $!";
    <$in>;
};

sub forget_files {
    opendir(my $dir, '/proc/self/fd') or POSIX::_exit(5);
    POSIX::close($_) for grep { /^\d+$/ && $_ > 2 } readdir $dir;
}

sub clerk {
    my ($room, @command) = @_;
    pipe(my $answer, my $tell) or die "pipe: $!";
    my $pid = fork() // die "fork: $!";
    if (!$pid) {
        POSIX::dup2(fileno($tell), 1);
        open(STDIN, '<', "rooms/$room.bids") or POSIX::_exit(3);
        forget_files();
        exec { $command[0] } @command or POSIX::_exit(4);
    }
    close $tell;
    my @lines = <$answer>;
    waitpid($pid, 0);
    die "clerk of $room: $?" if $?;
    return @lines;
}

my ($lots, $money) = (0, 0);
open(my $sheet, '>', 'hammer.txt') or die "hammer.txt: $!";
for my $room (@rooms) {
    my %best;
    for (clerk($room, 'sort', '-k1,1', '-k3,3nr')) {
        my ($lot, $bidder, $pounds) = split;
        next if $best{$lot}++;
        print $sheet "$room $lot $bidder $pounds\n";
        $lots++;
        $money += $pounds;
    }
}
close $sheet or die "hammer.txt: $!";
printf "%d lots sold in %d rooms for %d pounds\n", $lots, scalar @rooms, $money;
