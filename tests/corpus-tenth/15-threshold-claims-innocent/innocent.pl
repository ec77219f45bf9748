#!/usr/bin/perl
# Three surveyors share a list of plots; whoever makes the folder of a plot measures it.
use strict;
use warnings;

sub plots {
    open(my $in, '<', 'plots.txt') or die "plots.txt: $!\n";
    my @plots = map { chomp; [split / /] } <$in>;
    close($in);
    return @plots;
}

sub survey {
    my ($who, @plots) = @_;
    for my $plot (@plots) {
        my ($name, $side) = @$plot;
        if (!mkdir("claims/$name")) {
            next if $!{EEXIST};
            die "claims/$name: $!\n";
        }
        open(my $out, '>', "claims/$name/area") or die "claims/$name/area: $!\n";
        print $out $side * $side, "\n";
        close($out) or die "claims/$name/area: $!\n";
    }
    return 0;
}

my @plots = plots();
my @children;
for my $who (1 .. 3) {
    my $pid = fork() // die "fork: $!\n";
    if ($pid == 0) {
        # each begins at another place of the list
        my @mine = (@plots[ ($who - 1) * 10 .. $#plots ], @plots[ 0 .. ($who - 1) * 10 - 1 ]);
        exit survey($who, @mine);
    }
    push @children, $pid;
}
my $failed = 0;
for my $pid (@children) {
    waitpid($pid, 0);
    $failed++ if $?;
}

my ($measured, $area) = (0, 0);
for my $plot (@plots) {
    open(my $in, '<', "claims/$plot->[0]/area") or next;
    $area += <$in>;
    close($in);
    $measured++;
}
print "$measured plots, $area square rods\n";
print "$failed surveyors failed\n";
exit($failed ? 1 : 0);
