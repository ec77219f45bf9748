#!/usr/bin/perl
# Writes the choir's rota for the year to the notice board's stick and to the parish folder.
use strict;
use warnings;

open my $in, '<', 'singers.txt' or die "singers.txt: $!";
chomp(my @singers = <$in>);
close $in;

sub rota_lines {
    my @names = @_;
    my @lines;
    for my $week (1 .. 52) {
        my $lead   = $names[ $week % @names ];
        my $second = $names[ ($week * 5 + 3) % @names ];
        my $spare  = $names[ ($week * 7 + 1) % @names ];
        push @lines, sprintf "week %02d  lead %-6s  second %-6s  spare %-6s  door %s\n",
            $week, $lead, $second, $spare, $names[ ($week * 3) % @names ];
    }
    return @lines;
}

sub save {
    my ($path, @lines) = @_;
    open my $out, '>', $path or die "$path: $!";
    print $out "Rota of the choir\n\n";
    print $out $_ for @lines;
    print $out "\nChanges to the sacristan, please.\n";
    close $out;
}

my @lines = rota_lines(@singers);
save('board/usb-stick.txt', @lines);
save('board/parish.txt', @lines);

my %lead;
$lead{ (split)[3] }++ for @lines;
print "rota of ", scalar @lines, " weeks saved\n";
print "  $_ leads $lead{$_} times\n" for sort keys %lead;
