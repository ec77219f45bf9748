i=0; while [ $i -lt 40 ]; do echo "site$i.example:user$i:secret-$((i * 991))"; i=$((i+1)); done > vault.db
