use strict;
use warnings;
use Fcntl qw(F_SETFD FD_CLOEXEC O_RDWR O_CREAT O_EXCL);

# The key list must have no name that others could open: the file is
# unlinked at once and the helpers get the descriptor.
sub nameless {
    my ($text) = @_;
    my $name = ".keys.$$";
    sysopen(my $fh, $name, O_RDWR | O_CREAT | O_EXCL, 0600) or die "$name: $!";
    unlink $name or die "$name: $!";
    print $fh $text or die "keys: $!";
    $fh->flush;
    fcntl($fh, F_SETFD, 0) or die "keys: $!";
    return $fh;
}

sub helper {
    my ($keys, $message) = @_;
    my $fd = fileno $keys;
    my $program = '
        NR == FNR { key[$1] = $2; next }
        { out = ""; for (i = 1; i <= NF; i++) out = out (($i in key) ? key[$i] : "?"); print out }';
    pipe(my $from, my $to) or die "pipe: $!";
    my $pid = fork() // die "fork: $!";
    if (!$pid) {
        open(STDOUT, '>&', $to) or die "stdout: $!";
        open(STDIN, '<', $message) or die "$message: $!";
        exec 'awk', $program, "/dev/fd/$fd", '-' or die "awk: $!";
    }
    close $to;
    my $text = do { local $/; <$from> };
    waitpid $pid, 0;
    die "helper: $?" if $?;
    return $text;
}

my $book = do { open(my $in, '<', 'book.txt') or die "book.txt: $!"; local $/; <$in> };
my $keys = nameless($book);
my ($letters, $unknown) = (0, 0);
for my $message (sort glob 'messages/*.msg') {
    my $plain = helper($keys, $message);
    $letters += ($plain =~ tr/a-z//);
    $unknown += ($plain =~ tr/?//);
}
fcntl($keys, F_SETFD, FD_CLOEXEC);
close $keys;
print "$letters letters read, $unknown groups unknown\n";
