mkdir fonts
i=0; while [ $i -lt 200 ]; do if [ $((i % 4)) -eq 0 ]; then printf 'OTTO%04d glyphs=%d\n' $i $((i * 3)); else echo "readme of font $i"; fi > fonts/f$i; i=$((i+1)); done
