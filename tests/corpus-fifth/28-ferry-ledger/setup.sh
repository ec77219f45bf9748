cat > ledger.yml <<'X'
---
boats:
  Alma: 1200
  Brita: 845
  Cora: 90
trips: 412
X
