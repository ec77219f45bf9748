mkdir conf
echo '{"acme": {"plan": "pro", "quota": 40}, "bolt": {"plan": "free", "quota": 5}, "core": {"plan": "pro", "quota": 25}}' > conf/tenants.json
