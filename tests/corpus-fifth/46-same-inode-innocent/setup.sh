mkdir -p charts
for c in harbour fjord strait; do echo "old" > charts/$c.chart; seq 1 $((${#c} * 30)) > $c.depths; done
