perl -e 'for my $i (1 .. 150) { my $b = "page $i\n" x (20 + $i % 9); printf "%-24s%8d", "http://host/$i", length $b; print $b }' > crawl.warc
