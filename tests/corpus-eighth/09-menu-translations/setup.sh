rm -f menu.it.txt
printf '{"soup":"zuppa","fish":"pesce","rice":"riso","beans":"fagioli","tart":"crostata","with":"con"}\n' > glossary.json
i=1
while [ $i -le 14 ]; do printf 'fish with rice;%d\nsoup with beans;%d\ntart with beans;%d\n' $((i + 9)) $((i + 5)) $((i + 3)); i=$((i + 1)); done > menu.txt
