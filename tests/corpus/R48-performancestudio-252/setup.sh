echo '{"queries": 0}' > session.json
