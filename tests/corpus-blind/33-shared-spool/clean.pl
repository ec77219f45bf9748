#!/usr/bin/perl
# Puts jobs into a spool shared by all users, never over somebody's job.
use strict;
use warnings;
use Fcntl;

sub submit {
    my ($number, $text) = @_;
    my $path = "spool/job-$number.txt";
    sysopen(my $job, $path, O_WRONLY | O_CREAT | O_EXCL)
        or ($!{EEXIST} ? return 0 : die "$path: $!");
    print $job $text;
    close($job) or die "$path: $!";
    return 1;
}

my ($submitted, $taken) = (0, 0);
for my $number (1 .. 4) {
    if (submit($number, "print page $number\n")) {
        $submitted++;
    } else {
        $taken++;
    }
}
print "submitted $submitted, taken $taken\n";
