mkdir config
printf 'standard: 19\nreduced: 7\nbooks: 7\nexport: 0\n' > config/tax.yml
i=0; while [ $i -lt 120 ]; do set -- standard reduced books export; shift $((i % 4)); echo "article-$i,$1,$((i * 100 + 99))"; i=$((i+1)); done > lines.csv
