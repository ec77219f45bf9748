seq 1 60000 | head -c 245888 > hero.sheet
