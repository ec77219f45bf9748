perl -e 'open my $f, ">", "fingerings.bin" or die; print $f pack("A44s<s<", "oboe fingering $_", $_ % 50 - 30, 0) for 0 .. 599'
printf '0 150\n150 200\n350 250\n' > registers.txt
