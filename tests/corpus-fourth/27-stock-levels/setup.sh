echo '{"bolt": 100, "nut": 80, "washer": 500}' > stock.json
