i=0; while [ $i -lt 100 ]; do printf '%04096d' $((i*3)); i=$((i+1)); done > textures.pak
