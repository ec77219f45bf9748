cat > stock.txt <<'END'
carrot 120
leek 45
parsnip 80
swede 17
radish 200
beet 64
END
cat > prices.txt <<'END'
radish 2
beet 3
leek 4
turnip 2
carrot 1
parsnip 5
END
