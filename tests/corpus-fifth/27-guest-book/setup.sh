mkdir -p data
echo '[{"name":"Old Guest","text":"Was here first."}]' > data/guests.json
