mkdir zones
printf '$TTL 3600\n@ IN SOA ns1 admin 2024010100 1h 15m 30d 1h\n@ IN NS ns1\nwww IN A 192.0.2.1\n' > zones/example.org.zone
