mkdir previews
i=0; while [ $i -lt 90 ]; do [ $((i % 3)) -eq 1 ] || echo x > previews/$i.webp; i=$((i+1)); done
