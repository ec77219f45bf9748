mkdir -p relays
