i=0; while [ $i -lt 200 ]; do printf 'AbC0dE1fG2'; i=$((i+1)); done > take1.raw
