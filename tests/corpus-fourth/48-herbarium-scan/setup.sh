mkdir -p herbarium/europe/alps/2025/asteraceae/sheets
i=0; while [ $i -lt 90 ]; do echo "leontopodium $((i % 6)) $((1200 + i * 13))" > herbarium/europe/alps/2025/asteraceae/sheets/sheet$i; i=$((i+1)); done
