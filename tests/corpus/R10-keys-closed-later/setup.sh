mkdir -m 700 keys
mkdir scripts
