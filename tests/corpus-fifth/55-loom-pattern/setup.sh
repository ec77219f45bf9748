mkdir -p looms
for l in a b c; do { printf 'LOOM%04d' 7; seq 1 12000; } > looms/$l.pat; done
