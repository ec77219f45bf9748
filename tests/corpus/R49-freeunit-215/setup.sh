echo '{"listeners": {}}' > conf.json
