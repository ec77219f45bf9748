mkdir models
i=0; while [ $i -lt 500 ]; do printf 'A%03dB%03dC%03d' $i $((i*7%999)) $((i*13%999)); i=$((i+1)); done > models/cube.mesh
