mkdir -p releases/7
ln -s releases/7 current
