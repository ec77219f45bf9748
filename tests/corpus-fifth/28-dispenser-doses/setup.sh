cat > stock.db <<'X'
aspirin 120
insulin 36
morphine 14
quinine 60
X
cat > doses.txt <<'X'
insulin 2
morphine 1
aspirin 4
morphine 2
quinine 5
X
