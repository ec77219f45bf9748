echo '{"cursor": 0, "seen": []}' > state.json
