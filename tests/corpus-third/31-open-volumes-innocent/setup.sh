mkdir vol
i=0; while [ $i -lt 30 ]; do printf '%04096d' $((i*i)) > vol/v$i; i=$((i+1)); done
