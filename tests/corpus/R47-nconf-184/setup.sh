printf '{"color": "red"}' > store.json
printf '{"color": "gr' > store.json.new
