echo '[{"name": "ADA", "points": 9100}, {"name": "LIN", "points": 7000}]' > scores.json
