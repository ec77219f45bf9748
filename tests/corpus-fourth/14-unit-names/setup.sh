mkdir share
printf 'mg\t0.001\ng\t1\nkg\t1000\nt\t1000000\nlb\t453.59237\noz\t28.349523125\n' > share/units.tab
