mkdir home; echo '["https://a.example/feed","https://b.example/feed"]' > home/subs.json
