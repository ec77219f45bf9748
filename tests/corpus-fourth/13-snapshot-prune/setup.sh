mkdir snapshots
for d in 01 02 03 04; do for h in 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do : > snapshots/2024-02-$d-$h.snap; done; done
