i=0; while [ $i -lt 2048 ]; do printf 'crater%04d plain %s' $i abcdefghijklmn; i=$((i + 1)); done > moon.atlas
