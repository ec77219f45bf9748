echo '{"title":"v0"}' > site.json; touch -d '2024-01-01 00:00:00' site.json
