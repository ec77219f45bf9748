cat > oracle.pl <<'X'
$| = 1;
while (my $number = <STDIN>) {
    print $number % 2 ? $number * 3 + 1 : $number / 2, "\n";
}
X
