perl -e 'open my $f, ">", "savings.dat" or die; print $f pack("a8VV", "SAVINGS1", 700, 40);
print $f pack("a16q<q<", "Holder $_", $_ * 1237 % 90000, 0) for 1 .. 700'
