echo '{"beta": false, "limit": 20}' > flags.json
