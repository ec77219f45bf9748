mkdir profile
echo '{"save": "Ctrl+S", "quit": "Ctrl+Q"}' > profile/keymap.json
