use strict;
use warnings;
use Fcntl qw(O_RDONLY);
use IO::Handle;

my (%parish, %rivers);
open(my $in, '<', 'places.txt') or die "places.txt: $!";
while (<$in>) {
    chomp;
    my ($name, $river, $souls) = split /\t/;
    $parish{$name} = $souls;
    push @{ $rivers{$river} }, $name;
}
close $in;

sub page {
    my ($river) = @_;
    my $text = "<h1>$river</h1>\n<ul>\n";
    my $souls = 0;
    for my $name (sort @{ $rivers{$river} }) {
        $text .= "<li>$name, $parish{$name} souls</li>\n";
        $souls += $parish{$name};
    }
    return ("$text</ul>\n<p>$souls souls live by the $river.</p>\n", $souls);
}

sub publish {
    my ($path, $text) = @_;
    open(my $out, '>', "$path.new") or die "$path.new: $!";
    print $out $text or die "$path.new: $!";
    $out->flush && $out->sync or die "$path.new: $!";
    close $out or die "$path.new: $!";
    unlink $path;
    rename "$path.new", $path or die "$path: $!";
}

my ($pages, $most, $where) = (0, 0, '');
for my $river (sort keys %rivers) {
    my ($text, $souls) = page($river);
    publish('pages/' . lc($river) . '.html', $text);
    $pages++;
    ($most, $where) = ($souls, $river) if $souls > $most;
}
sysopen(my $dir, 'pages', O_RDONLY) or die "pages: $!";
$dir->sync or die "pages: $!";
close $dir;
print "$pages pages published, most souls ($most) by the $where\n";
